import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { appConfig, sharedConfig } from '../vite.config.ts';
import type { Prerendered } from '../vitePlugins/landing.ts';
import { compressFolder } from './compress.ts';

/** What renders the landing page goes under node_modules, where its bare imports still resolve. */
const renderFolder = fileURLToPath(new URL('../node_modules/.cache/nolo-landing/', import.meta.url));
/** The build is made here and then put in its place at once, so that nobody is served half of one. */
const buildFolder = fileURLToPath(new URL('../node_modules/.cache/nolo-web', import.meta.url));
const distFolder = fileURLToPath(new URL('../dist', import.meta.url));

/** Builds the renderer of the landing page and the frame as Node code and runs it once. */
async function prerender(): Promise<Prerendered> {
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
  const { renderLanding, renderFrames } = rendered as Record<'renderLanding' | 'renderFrames', () => string>;
  return { landing: renderLanding(), frames: renderFrames() };
}

/** Builds everything the gateway serves into web/dist. */
export async function buildWeb(): Promise<void> {
  process.env['NODE_ENV'] = 'production';
  const prerendered = await prerender();
  // For the styles of the first paint, which are those of the classes that stand here (app/first.css).
  await writeFile(`${renderFolder}first.html`, prerendered.landing + prerendered.frames);
  await build(appConfig(() => Promise.resolve(prerendered), buildFolder));
  await compressFolder(buildFolder);
  await rm(distFolder, { recursive: true, force: true });
  await rename(buildFolder, distFolder);
}

if (import.meta.main) await buildWeb();
