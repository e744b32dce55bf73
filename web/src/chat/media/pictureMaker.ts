import { trustedWorker } from '../../device/trustedWorker.ts';
import type { CleanFile } from './cleaning/cleanFile.ts';
import type { MadePicture, MadeStill } from './pictureWork.ts';
import type { PictureResult, PictureAnswer, PictureQuestion, PictureTask } from './pictureWorker.ts';
// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './pictureWorker.ts?worker&url';

/** Milliseconds after which an idle worker is stopped to free its memory. */
const idleMs = 30_000;

interface Waiting {
  answered: (made: PictureResult) => void;
  failed: (error: Error) => void;
}

let worker: Worker | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

function close(error?: Error): void {
  worker?.terminate();
  worker = undefined;
  for (const { failed } of waiting.values()) failed(error ?? new Error('The worker was closed.'));
  waiting.clear();
}

function open(): Worker {
  if (worker) return worker;
  const opened = trustedWorker('pictures', workerAddress);
  opened.addEventListener('message', ({ data: { id, made } }: MessageEvent<PictureAnswer>) => {
    waiting.get(id)?.answered(made);
    waiting.delete(id);
    if (waiting.size === 0) idle = setTimeout(close, idleMs);
  });
  opened.addEventListener('error', (event) => close(new Error(event.message || 'The worker could not be started.')));
  worker = opened;
  return opened;
}

function runTask(task: PictureTask, handOver: Transferable[] = []): Promise<PictureResult> {
  clearTimeout(idle);
  lastId += 1;
  const id = lastId;
  return new Promise<PictureResult>((answered, failed) => {
    waiting.set(id, { answered, failed });
    open().postMessage({ id, task } satisfies PictureQuestion, handOver);
  });
}

/** Runs `workOnPicture` in a worker, or on the page if no worker is available. */
export async function makePicture(file: Blob, type: string): Promise<MadePicture | null> {
  try {
    return (await runTask({ kind: 'picture', file, type })) as MadePicture | null;
  } catch {
    const { workOnPicture } = await import('./pictureWork.ts');
    return workOnPicture(file, type);
  }
}

/** Maximum milliseconds to clean a file: a minute, plus a second for each MB. */
const limitOf = (file: Blob): number => 60_000 + file.size / 1_000;

/** Returns null if no worker is available or it did not finish in time. */
async function cleanInTime(file: Blob): Promise<CleanFile | null> {
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    close();
  }, limitOf(file));
  const made = (await runTask({ kind: 'clean', file }).catch(() => null)) as CleanFile | null;
  clearTimeout(limit);
  return isLate ? { file, canRevealLocation: true } : made;
}

/** The worker cleans one file at a time, so that the time limit of each starts with its work. */
let cleaning: Promise<unknown> = Promise.resolve();

/**
 * Runs `cleanFile` in a worker, or on the page if no worker is available. The app asks about files that take too long.
 */
export async function cleanInWorker(file: Blob): Promise<CleanFile> {
  const answer = cleaning.then(() => cleanInTime(file));
  cleaning = answer;
  const made = await answer;
  if (made) return made;
  const { cleanFile } = await import('./cleaning/cleanFile.ts');
  return cleanFile(file);
}

/** Creates a poster from the current frame of a video. Returns null on failure. */
export async function makeStill(video: HTMLVideoElement): Promise<MadeStill | null> {
  try {
    const picture = await createImageBitmap(video);
    return (await runTask({ kind: 'still', picture }, [picture])) as MadeStill | null;
  } catch {
    // Posters are optional.
    return null;
  }
}
