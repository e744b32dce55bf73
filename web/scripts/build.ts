import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Alias } from 'vite';
import { appConfig, sharedConfig } from '../vite.config.ts';
import type { PrerenderedMarkup } from '../vitePlugins/landing.ts';
import { compressFolder } from './compress.ts';

/** Folder of the landing page renderer, under node_modules, where its bare imports still resolve. */
const renderFolder = fileURLToPath(new URL('../node_modules/.cache/nolo-landing/', import.meta.url));
/** Folder of the build, which then replaces web/dist at once, so that no half build is served. */
const buildFolder = fileURLToPath(new URL('../node_modules/.cache/nolo-web', import.meta.url));
const distFolder = fileURLToPath(new URL('../dist', import.meta.url));

/** Builds the renderer of the landing page and the frame as Node code, and runs it once. */
async function prerender(): Promise<PrerenderedMarkup> {
  await rm(renderFolder, { recursive: true, force: true });
  await mkdir(renderFolder, { recursive: true });
  await build({
    ...sharedConfig(),
    publicDir: false,
    build: {
      ssr: 'src/landing/renderLanding.tsx',
      outDir: renderFolder,
      rolldownOptions: { output: { entryFileNames: 'renderLanding.mjs' } },
    },
  });
  const rendered: unknown = await import(`${pathToFileURL(renderFolder).href}renderLanding.mjs?built=${Date.now()}`);
  const { renderLanding, renderSkeletonTemplates } = rendered as Record<
    'renderLanding' | 'renderSkeletonTemplates',
    () => string
  >;
  return { landing: renderLanding(), frames: renderSkeletonTemplates() };
}

/** Builds everything the gateway serves into a folder. `replaced` are modules to load in place of others, for tests. */
export async function buildWebInto(folder: string, replaced: readonly Alias[] = []): Promise<void> {
  process.env['NODE_ENV'] = 'production';
  const prerendered = await prerender();
  // Input for the styles of the first paint, which are those of the classes in this file (app/first.css).
  await writeFile(`${renderFolder}first.html`, prerendered.landing + prerendered.frames);
  const config = appConfig(() => Promise.resolve(prerendered), folder);
  const alias = [...replaced, ...((config.resolve?.alias ?? []) as Alias[])];
  await build({ ...config, resolve: { ...config.resolve, alias } });
  await compressFolder(folder);
}

/** Builds everything the gateway serves into web/dist. */
export async function buildWeb(): Promise<void> {
  await buildWebInto(buildFolder);
  await rm(distFolder, { recursive: true, force: true });
  await rename(buildFolder, distFolder);
}

if (import.meta.main) await buildWeb();
