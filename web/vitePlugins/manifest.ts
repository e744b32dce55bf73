import type { Plugin } from 'vite';
import type { ManifestOptions } from 'vite-plugin-pwa';

/** Manifest of the installed app. */
const english = {
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
  // Texts, links, and files shared by other apps go to chats (device/received.ts).
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

const shortcutsInGerman: Readonly<Record<(typeof english.shortcuts)[number]['url'], string>> = {
  '/': 'Chats',
  '/contacts': 'Kontakte',
  '/meetings': 'Meetings',
  '/status': 'Status',
};

/** German manifest. The equal id makes it the same app. */
const german = {
  ...english,
  lang: 'de',
  description: 'Private Nachrichten, Anrufe und Meetings.',
  shortcuts: english.shortcuts.map(({ url }) => ({ name: shortcutsInGerman[url], url })),
} satisfies Partial<ManifestOptions>;

/** Emits both manifests beside the document. boot.ts chooses the one to use. */
export function appManifests(): Plugin {
  return {
    name: 'nolo-manifests',
    generateBundle() {
      for (const [fileName, manifest] of Object.entries({
        'manifest.webmanifest': english,
        'manifest.de.webmanifest': german,
      })) {
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify(manifest) });
      }
    },
  };
}
