import { join } from 'node:path';
import { isExecutable } from '../paths.ts';
import { silentProgress, type Progress } from '../progress.ts';
import { Refusal, sentenceOf } from '../refusal.ts';
import { buildWorker } from './buildWorker.ts';
import { fetchPrebuiltWorker } from './prebuiltWorker.ts';
import {
  builtFolder,
  isBuiltByUs,
  mediasoupFolder,
  mediasoupPackage,
  prebuiltFolder,
  workerProgram,
} from './workerPlaces.ts';

/** The program that mediasoup starts for each core that carries media. */
export interface MediaWorker {
  /** For MEDIASOUP_WORKER_BIN. */
  binary: string;
  /** Whether it was built by us: good for trying out and for tests, and refused in production. */
  built: boolean;
  /** "built before" */
  origin: string;
}

export interface MediaWorkerOptions {
  progress?: Progress;
  environment?: NodeJS.ProcessEnv;
}

/** Where a worker may come from; each answers with the path of the program, or nothing. */
export interface WorkerSources {
  /** MEDIASOUP_WORKER_BIN. */
  named: () => string | undefined;
  /** What mediasoup's install script left beside its source, where that script was run. */
  installed: () => string | undefined;
  /** What mediasoup publishes for this system, from the cache or the network; quick to say that there is none. */
  prebuilt: () => Promise<string | undefined>;
  /** What was built here before. */
  built: () => string | undefined;
  build: () => Promise<string>;
}

/**
 * Finds, fetches or builds the media worker. What it costs is said while it happens: building takes some minutes, once.
 */
export async function provideMediaWorker(options: MediaWorkerOptions = {}): Promise<MediaWorker> {
  const progress = options.progress ?? silentProgress;
  const environment = options.environment ?? process.env;
  return await chooseWorker(
    {
      named: () => environment['MEDIASOUP_WORKER_BIN'] || undefined,
      installed: installedWorker,
      prebuilt: async () => await fetchPrebuiltWorker(environment),
      built: builtBefore,
      build: async () => await buildWorker(progress),
    },
    acceptsBuilt(environment),
  );
}

/** The worker that is at hand without a download and without a build. */
export function findMediaWorker(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return (
    executable(environment['MEDIASOUP_WORKER_BIN'] || '') ??
    installedWorker() ??
    executable(join(prebuiltFolder(), workerProgram)) ??
    builtBefore()
  );
}

/** Production takes a worker of our own making only when it is told to. */
export function acceptsBuilt(environment: NodeJS.ProcessEnv): boolean {
  const allowed = /^(true|1|yes|on)$/i.test(environment['MEDIA_ALLOW_BUILT_WORKER'] ?? '');
  return environment['NOLO_MODE'] !== 'production' || allowed;
}

/** The order in which a worker is looked for. */
export async function chooseWorker(sources: WorkerSources, mayBeBuilt: boolean): Promise<MediaWorker> {
  const named = sources.named();
  if (named !== undefined) {
    if (!isExecutable(named)) {
      throw new Refusal(`MEDIASOUP_WORKER_BIN names ${named}, which cannot be run.`);
    }
    return judged(named, 'named in MEDIASOUP_WORKER_BIN', mayBeBuilt);
  }
  const installed = sources.installed();
  if (installed !== undefined) return judged(installed, 'installed with mediasoup', mayBeBuilt);
  const prebuilt = await sources.prebuilt();
  if (prebuilt !== undefined) return { binary: prebuilt, built: false, origin: 'prebuilt by mediasoup' };
  if (!mayBeBuilt) throw refuseBuilt("mediasoup's prebuilt worker could not be fetched");
  const before = sources.built();
  if (before !== undefined) return { binary: before, built: true, origin: 'built before' };
  return { binary: await sources.build(), built: true, origin: 'built' };
}

/** A worker that somebody put where it is, which may be one of ours. */
function judged(binary: string, origin: string, mayBeBuilt: boolean): MediaWorker {
  const built = isBuiltByUs(binary);
  if (built && !mayBeBuilt) throw refuseBuilt(`${binary} was built by Nolo itself`);
  return { binary, built, origin };
}

function refuseBuilt(problem: string): Refusal {
  return new Refusal(
    `${problem}, and production takes no other: let this machine reach the releases of mediasoup, name a worker that mediasoup built in MEDIASOUP_WORKER_BIN, or say with MEDIA_ALLOW_BUILT_WORKER=true that one built by Nolo will do.`,
  );
}

/** For a command that does something without the worker as well: what is lost, and why. */
export function withoutMedia(error: unknown): string {
  const { version } = mediasoupPackage();
  return `Calls and meetings have no media server, for there is no mediasoup-worker ${version}: ${sentenceOf(error)}`;
}

function installedWorker(): string | undefined {
  return executable(join(mediasoupFolder, 'worker/out/Release', workerProgram));
}

function builtBefore(): string | undefined {
  return executable(join(builtFolder(), workerProgram));
}

function executable(path: string): string | undefined {
  return isExecutable(path) ? path : undefined;
}
