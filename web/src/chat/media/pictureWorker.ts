import type { CleanFile } from './cleaning/cleanFile.ts';
import { cleanFile } from './cleaning/cleanFile.ts';
import type { MadePicture, MadeStill } from './pictureWork.ts';
import { workOnPicture, workOnStill } from './pictureWork.ts';

export type PictureTask =
  | { readonly kind: 'picture'; readonly file: Blob; readonly type: string }
  | { readonly kind: 'still'; readonly picture: ImageBitmap }
  | { readonly kind: 'clean'; readonly file: Blob };

export interface PictureQuestion {
  readonly id: number;
  readonly task: PictureTask;
}

export interface PictureAnswer {
  readonly id: number;
  /** Null on failure. */
  readonly made: PictureResult;
}

export type PictureResult = MadePicture | MadeStill | CleanFile | null;

function work(task: PictureTask): Promise<PictureResult> {
  if (task.kind === 'clean') return cleanFile(task.file);
  return task.kind === 'picture' ? workOnPicture(task.file, task.type) : workOnStill(task.picture);
}

/*
 * Tasks run one after another, because several large pictures would not fit in a phone's memory. Long films do not
 * delay pictures.
 */
const tails: Record<'draw' | 'clean', Promise<unknown>> = { draw: Promise.resolve(), clean: Promise.resolve() };

addEventListener('message', ({ data: { id, task } }: MessageEvent<PictureQuestion>) => {
  const tail = task.kind === 'clean' ? 'clean' : 'draw';
  tails[tail] = tails[tail]
    .then(() => work(task))
    .catch(() => null)
    .then((made) => postMessage({ id, made } satisfies PictureAnswer));
});
