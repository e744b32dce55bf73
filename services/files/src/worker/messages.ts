import type { Picture } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import type { CleanPicture, Thumbnail } from '../domain/sharedPorts.ts';
import type { PictureCost } from '../images/measurePicture.ts';

/** What the service and its picture processes say to each other, over Node's own channel. */

/** The bytes of a picture, and what is to be made of them. `charged` is the cost by which it waited. */
export type Work =
  | { readonly kind: 'measure'; readonly bytes: Uint8Array; readonly type: string | undefined }
  | { readonly kind: 'make'; readonly bytes: Uint8Array; readonly charged: number; readonly shape: PictureShape }
  | {
      readonly kind: 'clean';
      readonly bytes: Uint8Array;
      readonly charged: number;
      readonly type: string;
      readonly given: readonly Thumbnail[];
    };

export type Made = { readonly measure: PictureCost; readonly make: Picture; readonly clean: CleanPicture };

/** From the service. */
export interface Job {
  readonly id: number;
  readonly work: Work;
}

export type Outcome =
  | { readonly made: Made[Work['kind']] }
  | { readonly refused: 'file_not_image' | 'image_too_large' | 'changed'; readonly detail: string };

/** From a process. `detail` is what a library said, for the log. */
export type JobResult = Outcome & {
  readonly id: number;
  /** Milliseconds of a processor that it took. */
  readonly cpuMs: number;
};
