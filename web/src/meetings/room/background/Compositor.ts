import { computeMaskSize, type PixelSize } from './backgroundMath.ts';
import type { PersonMask } from './masks.ts';

/** Source of drawing: either kind of canvas, or a frame. */
export type DrawablePicture = CanvasImageSource;
type Canvas = HTMLCanvasElement | OffscreenCanvas;
type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Width at which the background is blurred. It is cheap, and enlarging blurs it further. */
const blurWidth = 320;
const blurRadius = 7;
/** Width of the picture that is enlarged instead if the canvas has no blur filter. */
const coarseWidth = 36;

function contextOf(canvas: Canvas): Context {
  const context = canvas.getContext('2d') as Context | null;
  if (context === null) throw new Error('no canvas context is available');
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  return context;
}

/** Resizes a canvas, which also clears it and resets its settings. */
function resize(canvas: Canvas, { width, height }: PixelSize): Context {
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  return contextOf(canvas);
}

/** Draws the person, unchanged, over the blurred background. */
export class Compositor {
  readonly canvas: Canvas;
  readonly #small = new OffscreenCanvas(1, 1);
  readonly #mask = new OffscreenCanvas(1, 1);
  readonly #background = new OffscreenCanvas(1, 1);

  constructor(canvas: Canvas) {
    this.canvas = canvas;
  }

  /** Returns the picture in the worker's size. */
  small(picture: DrawablePicture, size: PixelSize): ImageBitmap {
    const wanted = computeMaskSize(size);
    resize(this.#small, wanted).drawImage(picture, 0, 0, wanted.width, wanted.height);
    return this.#small.transferToImageBitmap();
  }

  setMask({ width, height, pixels }: PersonMask): void {
    resize(this.#mask, { width, height }).putImageData(new ImageData(pixels, width, height), 0, 0);
  }

  /** Draws one picture. Without a mask, all of it is background. */
  draw(picture: DrawablePicture, size: PixelSize): void {
    const { width, height } = size;
    const context = resize(this.canvas, size);
    context.globalCompositeOperation = 'copy';
    // Smooth scaling makes the mask's edges soft.
    context.drawImage(this.#mask, 0, 0, width, height);
    context.globalCompositeOperation = 'source-in';
    context.drawImage(picture, 0, 0, width, height);
    context.globalCompositeOperation = 'destination-over';
    this.#blur(picture, size);
    context.drawImage(this.#background, 0, 0, width, height);
  }

  #blur(picture: DrawablePicture, { width, height }: PixelSize): void {
    const canBlur = 'filter' in this.#probe();
    const smaller = canBlur ? blurWidth : coarseWidth;
    const size = { width: smaller, height: Math.max(1, Math.round((smaller * height) / Math.max(1, width))) };
    const context = resize(this.#background, size);
    // Blurring takes in nothing beyond the edge, which darkens it, so the blurred picture extends past it.
    const beyond = canBlur ? blurRadius * 2 : 0;
    if (canBlur) context.filter = `blur(${blurRadius}px)`;
    context.drawImage(picture, -beyond, -beyond, size.width + 2 * beyond, size.height + 2 * beyond);
  }

  #probe(): Context {
    return contextOf(this.#background);
  }
}
