/** Messages between the page and the worker that finds people. */

/** Path where the gateway serves the operator's model. */
export const modelAddress = '/models/background.tflite';

export interface MaskQuestion {
  /** Scaled-down picture. The worker closes it. */
  picture: ImageBitmap;
  /** Time in milliseconds, later than the previous one. */
  at: number;
}

/** Opacity of the person in each pixel, as the alpha channel of a black picture. */
export interface PersonMask {
  width: number;
  height: number;
  pixels: Uint8ClampedArray<ArrayBuffer>;
}

export type MaskAnswer = { kind: 'ready' } | { kind: 'mask'; mask: PersonMask } | { kind: 'failed'; message: string };
