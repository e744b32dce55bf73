import type { Picture } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import type { CleanPicture, Thumbnail } from '../domain/sharedPorts.ts';
import type { PictureCost } from '../images/measurePicture.ts';

/** What the service and its picture processes say to each other, over Node's own channel. */

/** The bytes of a picture, and what is to be made of them. */
export type Work =
  | { readonly kind: 'measure'; readonly bytes: Uint8Array; readonly type: string | undefined }
  | { readonly kind: 'make'; readonly bytes: Uint8Array; readonly shape: PictureShape }
  | {
      readonly kind: 'clean';
      readonly bytes: Uint8Array;
      readonly type: string;
      readonly given: readonly Thumbnail[];
    };

export type Made = { readonly measure: PictureCost; readonly make: Picture; readonly clean: CleanPicture };

/** From the service. */
export interface Job {
  readonly id: number;
  readonly work: Work;
}

/** From a process. `detail` is what a library said, for the log. */
export type JobResult =
  | { readonly id: number; readonly made: Made[Work['kind']] }
  | { readonly id: number; readonly refused: 'file_not_image' | 'image_too_large'; readonly detail: string };
