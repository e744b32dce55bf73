import type { EncodedPicture } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import type { CleanedPicture, Thumbnail } from '../domain/sharedPorts.ts';
import type { PictureCost } from '../images/measurePicture.ts';

/** Messages between the service and its picture processes, sent over Node's own channel. */

/** Bytes of a picture and the work to do on them. `charged` is the cost used for queueing. */
export type PictureJobTask =
  | { readonly kind: 'measure'; readonly bytes: Uint8Array; readonly type: string | undefined }
  | { readonly kind: 'make'; readonly bytes: Uint8Array; readonly charged: number; readonly shape: PictureShape }
  | {
      readonly kind: 'clean';
      readonly bytes: Uint8Array;
      readonly charged: number;
      readonly type: string;
      readonly given: readonly Thumbnail[];
    };

export type PictureResults = {
  readonly measure: PictureCost;
  readonly make: EncodedPicture;
  readonly clean: CleanedPicture;
};

/** Request from the service. */
export interface PictureJob {
  readonly id: number;
  readonly work: PictureJobTask;
}

export type PictureJobOutcome =
  | { readonly made: PictureResults[PictureJobTask['kind']] }
  | { readonly refused: 'file_not_image' | 'image_too_large' | 'changed'; readonly detail: string };

/** Reply from a process. `detail` is a library's message, for the log. */
export type PictureJobResult = PictureJobOutcome & {
  readonly id: number;
  /** CPU time used, in milliseconds. */
  readonly cpuMs: number;
};
