import type { MadePicture, MadeStill } from './pictureWork.ts';
import { workOnPicture, workOnStill } from './pictureWork.ts';

export type PictureTask =
  | { readonly kind: 'picture'; readonly file: Blob; readonly type: string }
  | { readonly kind: 'still'; readonly picture: ImageBitmap };

export interface PictureQuestion {
  readonly id: number;
  readonly task: PictureTask;
}

export interface PictureAnswer {
  readonly id: number;
  /** Null where nothing could be made of it. */
  readonly made: MadePicture | MadeStill | null;
}

const work = (task: PictureTask): Promise<MadePicture | MadeStill | null> =>
  task.kind === 'picture' ? workOnPicture(task.file, task.type) : workOnStill(task.picture);

/* One after the other: several large ones at once would not fit into a phone's memory. */
let tail: Promise<unknown> = Promise.resolve();

addEventListener('message', ({ data: { id, task } }: MessageEvent<PictureQuestion>) => {
  tail = tail
    .then(() => work(task))
    .catch(() => null)
    .then((made) => postMessage({ id, made } satisfies PictureAnswer));
});
