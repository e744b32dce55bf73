import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { dirname, join } from 'node:path';
import { getSystemName } from '../debianPackages.ts';
import { hashInputs } from '../hashInputs.ts';
import { getCacheFolder, projectRoot } from '../paths.ts';

/** Folder where npm installed mediasoup, with the source of its worker. */
export const mediasoupFolder = join(projectRoot, 'node_modules/mediasoup');

/** Name of the program in every folder that has one. */
export const workerProgramName = 'mediasoup-worker';

/** Marker file next to a worker that we built; it is copied with the folder. */
export const buildMarkerFile = 'built-by-nolo.json';

interface MediasoupPackage {
  version: string;
  repository: { url: string };
}

export function readMediasoupPackage(): MediasoupPackage {
  return JSON.parse(readFileSync(join(mediasoupFolder, 'package.json'), 'utf8')) as MediasoupPackage;
}

/** Conditions under which a built worker can be reused. */
export interface BuildPlatform {
  /** System such as "debian12-x64", whose libraries the worker is linked with. */
  system: string;
  /** Hash of our patches and headers. */
  recipe: string;
}

/** Returns the folder name of a built worker, specific to its version, system and recipe. */
export function getBuiltWorkerFolderName(version: string, { system, recipe }: BuildPlatform): string {
  const hash = createHash('sha256').update(`${system}\0${recipe}`).digest('hex').slice(0, 12);
  return `mediasoup-worker-${version}-${hash}`;
}

/** Returns the folder of the worker built on this machine. */
export function getBuiltWorkerFolder(): string {
  const recipe = ['subprojects', 'precompiled.hpp', 'workerSource.ts', 'buildPackages.ts'].map(
    (name) => `scripts/mediaWorker/${name}`,
  );
  const name = getBuiltWorkerFolderName(readMediasoupPackage().version, {
    system: getSystemName(),
    recipe: hashInputs(recipe),
  });
  return join(getCacheFolder(), name);
}

/**
 * Returns the name of the archive that mediasoup publishes for a system, without its extension, as in its
 * npm-scripts.mjs.
 */
export function getPrebuiltWorkerName(version: string, platform: string, architecture: string, kernel: string): string {
  const major = String(Number(kernel.split('.')[0]));
  return `mediasoup-worker-${version}-${platform}-${architecture}${platform === 'linux' ? `-kernel${major}` : ''}`;
}

/** Returns the folder of the prebuilt worker, if downloaded. */
export function getPrebuiltWorkerFolder(): string {
  const name = getPrebuiltWorkerName(readMediasoupPackage().version, process.platform, process.arch, release());
  return join(getCacheFolder(), name);
}

/** Returns true if we built the worker, rather than mediasoup's team or its own recipe. */
export function isBuiltByUs(binary: string): boolean {
  return existsSync(join(dirname(binary), buildMarkerFile));
}
