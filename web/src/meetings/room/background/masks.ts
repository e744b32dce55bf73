/** What the page and the worker that looks for people say to each other. */

/** Where the gateway serves the operator's model. */
export const modelAddress = '/models/background.tflite';

export interface MaskQuestion {
  /** The picture, small; the worker closes it. */
  picture: ImageBitmap;
  /** In milliseconds, later than the one before. */
  at: number;
}

/** How much of the person is seen in each pixel, as the alpha of an otherwise black picture. */
export interface Mask {
  width: number;
  height: number;
  pixels: Uint8ClampedArray<ArrayBuffer>;
}

export type MaskAnswer = { kind: 'ready' } | { kind: 'mask'; mask: Mask } | { kind: 'failed'; message: string };
