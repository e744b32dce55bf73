import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runCommand } from '../runCommand.ts';
import { canRunWorker, findMediasoupIncompatibility } from './workerCheck.ts';
import { readMediasoupPackage, getPrebuiltWorkerFolder, workerProgramName } from './workerPlaces.ts';

/** Seconds until the first answer, enough for any machine that can reach the releases. */
const answerSeconds = 4;
const downloadSeconds = 60;

/**
 * Returns the worker that mediasoup publishes for this system, downloaded, verified as its own install script does, and
 * stored. Returns undefined if unavailable for any reason, so that other sources are tried.
 */
export async function fetchPrebuiltWorker(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = getPrebuiltWorkerFolder();
  const binary = join(folder, workerProgramName);
  if (existsSync(binary) && (await canRunWorker(binary))) return binary;
  if (environment['MEDIASOUP_SKIP_WORKER_PREBUILT_DOWNLOAD']) return undefined;

  const archive = await download(environment, basename(folder));
  if (archive === undefined) return undefined;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    const file = join(unfinished, 'worker.tgz');
    const fresh = join(unfinished, workerProgramName);
    writeFileSync(file, archive);
    await runCommand('tar', ['-xzf', file, '-C', unfinished, workerProgramName]);
    rmSync(file);
    // A build for another libc fails to start. Detecting that here avoids a failure in a call.
    if (!(await canRunWorker(fresh)) || (await findMediasoupIncompatibility(fresh)) !== undefined) return undefined;
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
    return binary;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function download(environment: NodeJS.ProcessEnv, name: string): Promise<Uint8Array | undefined> {
  const { version, repository } = readMediasoupPackage();
  const releases =
    environment['MEDIASOUP_WORKER_PREBUILT_DOWNLOAD_BASE_URL'] ||
    `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/releases/download`;
  const timeout = new AbortController();
  let timer = setTimeout(() => {
    timeout.abort();
  }, answerSeconds * 1000);
  try {
    const response = await fetch(`${releases}/${version}/${name}.tgz`, { signal: timeout.signal });
    if (!response.ok) return undefined;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timeout.abort();
    }, downloadSeconds * 1000);
    return await response.bytes();
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
