import { join } from 'node:path';
import { isExecutable } from '../paths.ts';
import { silentProgress, type Progress } from '../progress.ts';
import { CommandError, describeFailure } from '../commandError.ts';
import { buildWorker } from './buildWorker.ts';
import { fetchPrebuiltWorker } from './prebuiltWorker.ts';
import {
  getBuiltWorkerFolder,
  isBuiltByUs,
  mediasoupFolder,
  readMediasoupPackage,
  getPrebuiltWorkerFolder,
  workerProgramName,
} from './workerPlaces.ts';

/** Program that mediasoup starts for each core that carries media. */
export interface MediaWorker {
  /** Path for MEDIASOUP_WORKER_BIN. */
  binary: string;
  /** True if we built it: fine for trials and tests, refused in production. */
  built: boolean;
  /** Origin, for example "built before". */
  origin: string;
}

export interface MediaWorkerOptions {
  progress?: Progress;
  environment?: NodeJS.ProcessEnv;
}

/** Sources of a worker; each returns the path of the program, or nothing. */
export interface WorkerSources {
  /** Path from MEDIASOUP_WORKER_BIN. */
  named: () => string | undefined;
  /** Worker that mediasoup's install script placed next to its source, if it was run. */
  installed: () => string | undefined;
  /** Worker that mediasoup publishes for this system, from the cache or the network. Fails quickly if unavailable. */
  prebuilt: () => Promise<string | undefined>;
  /** Worker built here earlier. */
  built: () => string | undefined;
  build: () => Promise<string>;
}

/** Finds, downloads or builds the media worker. Reports progress because a build takes some minutes, once. */
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
    mayUseBuiltWorker(environment),
  );
}

/** Returns the worker that is available without a download or a build. */
export function findMediaWorker(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return (
    executable(environment['MEDIASOUP_WORKER_BIN'] || '') ??
    installedWorker() ??
    executable(join(getPrebuiltWorkerFolder(), workerProgramName)) ??
    builtBefore()
  );
}

/** Returns true if a worker of our own build is accepted. Production requires an explicit setting. */
export function mayUseBuiltWorker(environment: NodeJS.ProcessEnv): boolean {
  const allowed = /^(true|1|yes|on)$/i.test(environment['MEDIA_ALLOW_BUILT_WORKER'] ?? '');
  return environment['NOLO_MODE'] !== 'production' || allowed;
}

/** Chooses a worker, in order of preference. */
export async function chooseWorker(sources: WorkerSources, mayBeBuilt: boolean): Promise<MediaWorker> {
  const named = sources.named();
  if (named !== undefined) {
    if (!isExecutable(named)) {
      throw new CommandError(`MEDIASOUP_WORKER_BIN names ${named}, which cannot be run.`);
    }
    return judged(named, 'named in MEDIASOUP_WORKER_BIN', mayBeBuilt);
  }
  const installed = sources.installed();
  if (installed !== undefined) return judged(installed, 'installed with mediasoup', mayBeBuilt);
  const prebuilt = await sources.prebuilt();
  if (prebuilt !== undefined) return { binary: prebuilt, built: false, origin: 'prebuilt by mediasoup' };
  if (!mayBeBuilt) throw refuseBuilt("mediasoup's prebuilt worker could not be downloaded");
  const before = sources.built();
  if (before !== undefined) return { binary: before, built: true, origin: 'built before' };
  return { binary: await sources.build(), built: true, origin: 'built' };
}

/** Returns a worker placed there by a person, which may be one of our builds. */
function judged(binary: string, origin: string, mayBeBuilt: boolean): MediaWorker {
  const built = isBuiltByUs(binary);
  if (built && !mayBeBuilt) throw refuseBuilt(`${binary} was built by Nolo itself`);
  return { binary, built, origin };
}

function refuseBuilt(problem: string): CommandError {
  return new CommandError(
    `${problem}, and production accepts no other. Let this machine reach the releases of mediasoup, set MEDIASOUP_WORKER_BIN to a worker built by mediasoup, or set MEDIA_ALLOW_BUILT_WORKER=true to accept one built by Nolo.`,
  );
}

/** Returns the message for a command that works without the worker: the lost features and the reason. */
export function describeMissingMediaWorker(error: unknown): string {
  const { version } = readMediasoupPackage();
  return `Calls and meetings have no media server because there is no mediasoup-worker ${version}: ${describeFailure(error)}`;
}

function installedWorker(): string | undefined {
  return executable(join(mediasoupFolder, 'worker/out/Release', workerProgramName));
}

function builtBefore(): string | undefined {
  return executable(join(getBuiltWorkerFolder(), workerProgramName));
}

function executable(path: string): string | undefined {
  return isExecutable(path) ? path : undefined;
}
