import type { Plugin } from 'vite';
import type { ManifestOptions } from 'vite-plugin-pwa';

/** What systems learn of the installed app. */
export const appManifest = {
  lang: 'en',
  id: '/',
  name: 'Nolo',
  short_name: 'Nolo',
  description: 'Private messaging, calling and meetings.',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#f5f3ef',
  theme_color: '#f5f3ef',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
  shortcuts: [
    { name: 'Chats', url: '/' as const },
    { name: 'Contacts', url: '/contacts' as const },
    { name: 'Meetings', url: '/meetings' as const },
    { name: 'Status', url: '/status' as const },
  ],
  // Texts, links and files of other apps go into chats (device/received.ts).
  share_target: {
    action: '/share-target',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [{ name: 'files', accept: ['image/*', 'video/*', 'audio/*', 'text/*', 'application/*'] }],
    },
  },
  file_handlers: [
    {
      action: '/received',
      accept: {
        'image/*': ['.jpg', '.jpeg', '.png', '.webp', '.gif', '.avif', '.heic'],
        'video/*': ['.mp4', '.webm', '.mov'],
        'audio/*': ['.mp3', '.m4a', '.ogg', '.opus', '.wav'],
        'application/pdf': ['.pdf'],
        'text/plain': ['.txt'],
      },
    },
  ],
  protocol_handlers: [{ protocol: 'web+nolo', url: '/open?link=%s' }],
} satisfies Partial<ManifestOptions>;

/** Where the same stands in German; boot.ts leads there. By its id it is the same app. */
const germanManifestFile = 'manifest.de.webmanifest';

const shortcutsInGerman: Readonly<Record<(typeof appManifest.shortcuts)[number]['url'], string>> = {
  '/': 'Chats',
  '/contacts': 'Kontakte',
  '/meetings': 'Meetings',
  '/status': 'Status',
};

/** Puts the German manifest beside the English one. */
export function germanManifest(): Plugin {
  const manifest = {
    ...appManifest,
    lang: 'de',
    description: 'Private Nachrichten, Anrufe und Meetings.',
    shortcuts: appManifest.shortcuts.map(({ url }) => ({ name: shortcutsInGerman[url], url })),
  };
  return {
    name: 'nolo-german-manifest',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: germanManifestFile, source: JSON.stringify(manifest) });
    },
  };
}
