import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { dirname, join } from 'node:path';
import { systemName } from '../debianPackages.ts';
import { inputHash } from '../inputHash.ts';
import { cacheFolder, projectRoot } from '../paths.ts';

/** Where npm has put mediasoup, with the source of its worker. */
export const mediasoupFolder = join(projectRoot, 'node_modules/mediasoup');

/** The name of the program, in every folder that holds one. */
export const workerProgram = 'mediasoup-worker';

/** Lies beside a worker that was built by us, and goes with it wherever its folder is copied. */
export const builtMark = 'built-by-nolo.json';

interface MediasoupPackage {
  version: string;
  repository: { url: string };
}

export function mediasoupPackage(): MediasoupPackage {
  return JSON.parse(readFileSync(join(mediasoupFolder, 'package.json'), 'utf8')) as MediasoupPackage;
}

/** What decides whether a worker that was built once can be used again. */
export interface BuildSurroundings {
  /** "debian12-x64": its libraries are what the worker is linked with. */
  system: string;
  /** Hash of the patches and headers of ours. */
  recipe: string;
}

/** Name of the folder of a worker that was built: another one for another version, system or recipe. */
export function builtFolderName(version: string, { system, recipe }: BuildSurroundings): string {
  const hash = createHash('sha256').update(`${system}\0${recipe}`).digest('hex').slice(0, 12);
  return `mediasoup-worker-${version}-${hash}`;
}

/** The folder of the worker that is built on this machine. */
export function builtFolder(): string {
  const recipe = ['subprojects', 'precompiled.hpp', 'workerSource.ts', 'buildPackages.ts'].map(
    (name) => `scripts/mediaWorker/${name}`,
  );
  const name = builtFolderName(mediasoupPackage().version, { system: systemName(), recipe: inputHash(recipe) });
  return join(cacheFolder(), name);
}

/** Name of the archive that mediasoup publishes for a system, without its ending; as in its own npm-scripts.mjs. */
export function prebuiltName(version: string, platform: string, architecture: string, kernel: string): string {
  const major = String(Number(kernel.split('.')[0]));
  return `mediasoup-worker-${version}-${platform}-${architecture}${platform === 'linux' ? `-kernel${major}` : ''}`;
}

/** The folder of the prebuilt worker, once it was fetched. */
export function prebuiltFolder(): string {
  const name = prebuiltName(mediasoupPackage().version, process.platform, process.arch, release());
  return join(cacheFolder(), name);
}

/** Whether a worker was built by us rather than by mediasoup's own people or with their own recipe. */
export function isBuiltByUs(binary: string): boolean {
  return existsSync(join(dirname(binary), builtMark));
}
