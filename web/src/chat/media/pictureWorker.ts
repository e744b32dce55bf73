import { removeFileMetadata, type FileWithoutMetadata } from './cleaning/removeFileMetadata.ts';
import { processPicture, createVideoPoster, type ProcessedPicture, type VideoPoster } from './pictureProcessing.ts';

export type PictureWorkerTask =
  | { readonly kind: 'picture'; readonly file: Blob; readonly type: string }
  | { readonly kind: 'still'; readonly picture: ImageBitmap }
  | { readonly kind: 'clean'; readonly file: Blob };

export interface PictureWorkerRequest {
  readonly id: number;
  readonly task: PictureWorkerTask;
}

export interface PictureWorkerResponse {
  readonly id: number;
  /** Null on failure. */
  readonly made: PictureWorkerResult;
}

export type PictureWorkerResult = ProcessedPicture | VideoPoster | FileWithoutMetadata | null;

function work(task: PictureWorkerTask): Promise<PictureWorkerResult> {
  if (task.kind === 'clean') return removeFileMetadata(task.file);
  return task.kind === 'picture' ? processPicture(task.file, task.type) : createVideoPoster(task.picture);
}

/*
 * Tasks run one after another, because several large pictures would not fit in a phone's memory. Long films do not
 * delay pictures.
 */
const tails: Record<'draw' | 'clean', Promise<unknown>> = { draw: Promise.resolve(), clean: Promise.resolve() };

addEventListener('message', ({ data: { id, task } }: MessageEvent<PictureWorkerRequest>) => {
  const tail = task.kind === 'clean' ? 'clean' : 'draw';
  tails[tail] = tails[tail]
    .then(() => work(task))
    .catch(() => null)
    .then((made) => postMessage({ id, made } satisfies PictureWorkerResponse));
});
