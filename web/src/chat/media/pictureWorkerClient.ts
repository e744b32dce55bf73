import { startTrustedWorker } from '../../device/startTrustedWorker.ts';
import type { FileWithoutMetadata } from './cleaning/removeFileMetadata.ts';
import type { ProcessedPicture, VideoPoster } from './pictureProcessing.ts';
import type {
  PictureWorkerResult,
  PictureWorkerResponse,
  PictureWorkerRequest,
  PictureWorkerTask,
} from './pictureWorker.ts';
// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './pictureWorker.ts?worker&url';

/** Milliseconds after which an idle worker is stopped to free its memory. */
const idleMs = 30_000;

interface Waiting {
  answered: (made: PictureWorkerResult) => void;
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
  const opened = startTrustedWorker('pictures', workerAddress);
  opened.addEventListener('message', ({ data: { id, made } }: MessageEvent<PictureWorkerResponse>) => {
    waiting.get(id)?.answered(made);
    waiting.delete(id);
    if (waiting.size === 0) idle = setTimeout(close, idleMs);
  });
  opened.addEventListener('error', (event) => close(new Error(event.message || 'The worker could not be started.')));
  worker = opened;
  return opened;
}

function runTask(task: PictureWorkerTask, handOver: Transferable[] = []): Promise<PictureWorkerResult> {
  clearTimeout(idle);
  lastId += 1;
  const id = lastId;
  return new Promise<PictureWorkerResult>((answered, failed) => {
    waiting.set(id, { answered, failed });
    open().postMessage({ id, task } satisfies PictureWorkerRequest, handOver);
  });
}

/** Runs `processPicture` in a worker, or on the page if no worker is available. */
export async function processPictureInWorker(file: Blob, type: string): Promise<ProcessedPicture | null> {
  try {
    return (await runTask({ kind: 'picture', file, type })) as ProcessedPicture | null;
  } catch {
    const { processPicture } = await import('./pictureProcessing.ts');
    return processPicture(file, type);
  }
}

/** Maximum milliseconds to clean a file: a minute, plus a second for each MB. */
const limitOf = (file: Blob): number => 60_000 + file.size / 1_000;

/** Returns null if no worker is available or it did not finish in time. */
async function cleanInTime(file: Blob): Promise<FileWithoutMetadata | null> {
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    close();
  }, limitOf(file));
  const made = (await runTask({ kind: 'clean', file }).catch(() => null)) as FileWithoutMetadata | null;
  clearTimeout(limit);
  return isLate ? { file, canRevealLocation: true } : made;
}

/** The worker cleans one file at a time, so that the time limit of each starts with its work. */
let cleaning: Promise<unknown> = Promise.resolve();

/**
 * Runs `removeFileMetadata` in a worker, or on the page if no worker is available. The app asks about files that take
 * too long.
 */
export async function removeMetadataInWorker(file: Blob): Promise<FileWithoutMetadata> {
  const answer = cleaning.then(() => cleanInTime(file));
  cleaning = answer;
  const made = await answer;
  if (made) return made;
  const { removeFileMetadata } = await import('./cleaning/removeFileMetadata.ts');
  return removeFileMetadata(file);
}

/** Creates a poster from the current frame of a video. Returns null on failure. */
export async function createVideoPosterInWorker(video: HTMLVideoElement): Promise<VideoPoster | null> {
  try {
    const picture = await createImageBitmap(video);
    return (await runTask({ kind: 'still', picture }, [picture])) as VideoPoster | null;
  } catch {
    // Posters are optional.
    return null;
  }
}
