import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { createChunkNamer } from './vitePlugins/chunks.ts';
import { contractWithoutSchemas } from './vitePlugins/contract.ts';
import { emojiData } from './vitePlugins/emoji.ts';
import { landingPage, type PrerenderedMarkup } from './vitePlugins/landing.ts';
import { appManifests } from './vitePlugins/manifest.ts';
import { createEagerWrapperPlugin } from './vitePlugins/wrappers.ts';
import { visionRuntime } from './vitePlugins/visionRuntime.ts';

const webRoot = fileURLToPath(new URL('.', import.meta.url));

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Small shared modules for pictures and files. Separate files for each would cost more than their content. */
const sharedByMedia =
  /web\/src\/(?:chat\/media\/(?:FileName|FileSymbol|localMedia|MessagePicture|thumbhash|UploadRing|useLocalMedia|useProgressText|mediaTexts|voiceTexts)|i18n\/sizeText)\.tsx?$|web\/locales\/en\/(?:media|voice)\.json$|node_modules\/thumbhash\//;

/** Files with texts of a language other than English, which only its users load and cache. */
const germanFile = /\/web\/(?:locales\/de\/\w+\.json|src\/.*\/(?:german|emojiGerman)\.ts)$|virtual:emoji-german$/;

/** German texts of the first screens, and those of conversations: one file each, for the reason above. */
const firstInGerman = /web\/locales\/de\/(?:app|call|group|contacts|refusals|rows|notes|push|security)\.json$/;
const conversationInGerman = /web\/locales\/de\/(?:conversation|messages|media|voice)\.json$/;

/** Small shared modules for status updates. */
const sharedByStatuses =
  /web\/src\/status\/(?:model\/(?:statusGroups|times)|statusTexts|statusQueries|StatusThumbnail|useLocalUrl|useStatusTimes)\.tsx?$|web\/locales\/en\/status\.json$/;

/** Icons that several screens share, none of them among the first screens. */
const sharedSymbols =
  /lucide-react\/dist\/esm\/icons\/(?:bell|camera|chevron-(?:down|left|right)|circle-stop|crown|ellipsis-vertical|external-link|globe|hash|image-off|image-plus|key-round|lock|log-in|log-out|mail|megaphone|message-square|message-square-text|mic|paperclip|pause|phone-off|play|settings-2|share-2|smartphone|unplug|users|zap)\.m?js$/;

const routerBuild = (entry: string) => path(`../node_modules/react-router/dist/production/${entry}.mjs`);

/** Returns the configuration shared by the app's build and the landing page's rendering. */
export function sharedConfig(): InlineConfig {
  return {
    root: webRoot,
    configFile: false,
    logLevel: 'warn',
    // Texts are only ever imported whole.
    json: { namedExports: false },
    resolve: {
      alias: [
        { find: 'react-style-singleton', replacement: path('./src/ui/adoptedStyle.ts') },
        // The router's exports name only its development build, which includes warnings.
        { find: /^react-router$/, replacement: routerBuild('index') },
        { find: /^react-router\/dom$/, replacement: routerBuild('dom-export') },
      ],
    },
    plugins: [contractWithoutSchemas(), emojiData(), react()],
  };
}

/** Returns the configuration that builds the app to a folder, with what the document shows before the app runs. */
export function appConfig(prerender: () => Promise<PrerenderedMarkup>, outFolder: string): InlineConfig {
  const shared = sharedConfig();
  return {
    ...shared,
    plugins: [
      ...(shared.plugins ?? []),
      tailwindcss(),
      landingPage(prerender),
      appManifests(),
      createEagerWrapperPlugin(),
      VitePWA({
        strategies: 'injectManifest',
        srcDir: 'src',
        filename: 'serviceWorker.ts',
        outDir: outFolder,
        // Registered manually through a Trusted Types policy, and updated only with the user's consent.
        injectRegister: false,
        registerType: 'prompt',
        injectManifest: {
          // Firefox and Safari show the page's own icon (apple-touch-icon) offline too.
          globPatterns: ['index.html', 'assets/*.{js,css,woff2}', '*.{svg,webmanifest}', 'icon-180.png'],
          // Pages rarely need the second Latin subset, so the browser's own cache suffices. The same applies to the
          // background blur worker, which must come with the headers that the gateway sets once there is a model. Long
          // videos are rarely trimmed, and songs rarely sent. Users who choose a song offline are asked whether to send
          // it with its metadata.
          globIgnores: ['**/inter-latin-ext-*', '**/backgroundWorker-*', '**/mediabunny-*', '**/cleanSound-*'],
        },
        manifest: false,
      }),
    ],
    // Plugins for workers. The background blur worker needs the runtime.
    worker: { format: 'es', plugins: () => [visionRuntime()] },
    build: {
      outDir: outFolder,
      emptyOutDir: true,
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
      sourcemap: 'hidden',
      manifest: true,
      // Assets are never inlined: img-src and font-src need no data: for our own files.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          // The name tells the service worker which files are only for users of that language.
          chunkFileNames: ({ moduleIds }) =>
            moduleIds.length > 0 && moduleIds.every((id) => germanFile.test(id))
              ? 'assets/german-[name]-[hash].js'
              : 'assets/[name]-[hash].js',
          // All of it runs when the app starts: browsers that know this line compile it ahead, like React
          // (wrappers.ts).
          postBanner: ({ name }) => (name === 'react-router' ? '//# allFunctionsCalledOnLoad' : ''),
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'first', test: firstInGerman },
              { name: 'conversation', test: conversationInGerman },
              { name: createChunkNamer(), debugName: 'moments' },
              { name: 'media', test: sharedByMedia },
              { name: 'statuses', test: sharedByStatuses },
              { name: 'symbols', test: sharedSymbols },
              { name: 'mediabunny', test: /node_modules\/mediabunny\// },
            ],
          },
        },
      },
      // Browsers that need the preload polyfill cannot run the rest anyway.
      modulePreload: { polyfill: false },
    },
  };
}
