import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { chunkNames } from './vitePlugins/chunks.ts';
import { contractWithoutSchemas } from './vitePlugins/contract.ts';
import { emojiData } from './vitePlugins/emoji.ts';
import { landingPage, type Prerendered } from './vitePlugins/landing.ts';
import { appManifests } from './vitePlugins/manifest.ts';
import { germanFile, languageWords } from './vitePlugins/languages.ts';
import { eagerWrappers } from './vitePlugins/wrappers.ts';
import { visionRuntime } from './vitePlugins/visionRuntime.ts';

const webRoot = fileURLToPath(new URL('.', import.meta.url));

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Small parts of what draws pictures and files. Alone each would be a file of its own, which costs more than what is in it. */
const sharedByMedia =
  /web\/src\/(?:chat\/media\/(?:FileName|FileSymbol|localMedia|Picture|thumbhash|UploadRing|useLocalMedia|useMediaWords|useProgressText|enMedia|enVoice)|i18n\/sizeText)\.tsx?$|node_modules\/thumbhash\//;

/** German words that the first screens say, and those of conversations: a file each, for the same reason. */
const firstInGerman = /web\/src\/(?:.*\/)?(?:de(?:Errors|Call|Group|Contacts|Refusals|Rows|Notes|Push|Security)?)\.ts$/;
const conversationInGerman = /web\/src\/(?:.*\/)?de(?:Conversation|Messages|Media|Voice)\.ts$/;

/** The same for status updates. */
const sharedByStatuses =
  /web\/src\/status\/(?:model\/(?:statusGroups|times)|enStatus|statusQueries|StatusPicture|useLocalUrl|useStatusTimes|useStatusWords)\.tsx?$/;

/** Symbols that several screens show, none of them among the first. */
const sharedSymbols =
  /lucide-react\/dist\/esm\/icons\/(?:bell|camera|chevron-(?:down|left|right)|circle-stop|crown|ellipsis-vertical|external-link|globe|hash|image-off|image-plus|key-round|lock|log-in|log-out|mail|megaphone|message-square|message-square-text|mic|paperclip|pause|phone-off|play|settings-2|share-2|smartphone|unplug|users|zap)\.m?js$/;

const routerBuild = (entry: string) => path(`../node_modules/react-router/dist/production/${entry}.mjs`);

/** What building the app and rendering the landing page have in common. */
export function sharedConfig(): InlineConfig {
  return {
    root: webRoot,
    configFile: false,
    logLevel: 'warn',
    resolve: {
      alias: [
        { find: 'react-style-singleton', replacement: path('./src/ui/adoptedStyle.ts') },
        // The router's exports name only its build for development, which brings its warnings along.
        { find: /^react-router$/, replacement: routerBuild('index') },
        { find: /^react-router\/dom$/, replacement: routerBuild('dom-export') },
      ],
    },
    plugins: [contractWithoutSchemas(), emojiData(), react()],
  };
}

/** The build of the app into a folder, with what the document shows before the app runs. */
export function appConfig(prerender: () => Promise<Prerendered>, outFolder: string): InlineConfig {
  const shared = sharedConfig();
  return {
    ...shared,
    plugins: [
      ...(shared.plugins ?? []),
      languageWords(),
      tailwindcss(),
      landingPage(prerender),
      appManifests(),
      eagerWrappers(),
      VitePWA({
        strategies: 'injectManifest',
        srcDir: 'src',
        filename: 'serviceWorker.ts',
        outDir: outFolder,
        // Registered by hand through a Trusted Types policy, and updated only when the person agrees.
        injectRegister: false,
        registerType: 'prompt',
        injectManifest: {
          // Firefox and Safari show the page's own picture (apple-touch-icon) without a network as well.
          globPatterns: ['index.html', 'assets/*.{js,css,woff2}', '*.{svg,webmanifest}', 'icon-180.png'],
          // A page needs the second Latin subset rarely; the browser's own cache is enough for it. So it is for the worker
          // of blurred backgrounds, which has to come with the headers that the gateway gives it once there is a model.
          // A long video is rarely trimmed and a song rarely sent. People who choose a song without a network are asked
          // whether it goes with its notes.
          globIgnores: ['**/inter-latin-ext-*', '**/backgroundWorker-*', '**/mediabunny-*', '**/cleanSound-*'],
        },
        manifest: false,
      }),
    ],
    // Workers, of which the one that blurs backgrounds needs the runtime.
    worker: { format: 'es', plugins: () => [visionRuntime()] },
    build: {
      outDir: outFolder,
      emptyOutDir: true,
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
      sourcemap: 'hidden',
      manifest: true,
      // Nothing is inlined: img-src and font-src need no data: for our own files.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          // By its name the service worker knows what only those keep who chose the language.
          chunkFileNames: ({ moduleIds }) =>
            moduleIds.length > 0 && moduleIds.every((id) => germanFile.test(id))
              ? 'assets/german-[name]-[hash].js'
              : 'assets/[name]-[hash].js',
          // All of it runs when the app begins: browsers that know this line read it ahead, as they do React (wrappers.ts).
          postBanner: ({ name }) => (name === 'react-router' ? '//# allFunctionsCalledOnLoad' : ''),
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'first', test: firstInGerman },
              { name: 'conversation', test: conversationInGerman },
              { name: chunkNames(), debugName: 'moments' },
              { name: 'media', test: sharedByMedia },
              { name: 'statuses', test: sharedByStatuses },
              { name: 'symbols', test: sharedSymbols },
              { name: 'mediabunny', test: /node_modules\/mediabunny\// },
            ],
          },
        },
      },
      // The preload polyfill is for browsers that cannot run the rest anyway.
      modulePreload: { polyfill: false },
    },
  };
}
