import { maskSizeOf, type Size } from './backgroundMath.ts';
import type { Mask } from './masks.ts';

/** What is drawn to and from; both kinds of canvas are meant, and a frame beside them. */
export type Picture = CanvasImageSource;
type Canvas = HTMLCanvasElement | OffscreenCanvas;
type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** The background is blurred at this width, which costs little and is blurred again by being enlarged. */
const blurWidth = 320;
const blurRadius = 7;
/** Where a canvas cannot blur, a picture this narrow is enlarged instead. */
const coarseWidth = 36;

function contextOf(canvas: Canvas): Context {
  const context = canvas.getContext('2d') as Context | null;
  if (context === null) throw new Error('there is no canvas to draw on');
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  return context;
}

/** Gives a canvas a size; setting one empties it, and takes its settings back. */
function resize(canvas: Canvas, { width, height }: Size): Context {
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  return contextOf(canvas);
}

/** Puts the person, as they are, before the background, blurred. */
export class Compositor {
  readonly canvas: Canvas;
  readonly #small = new OffscreenCanvas(1, 1);
  readonly #mask = new OffscreenCanvas(1, 1);
  readonly #background = new OffscreenCanvas(1, 1);

  constructor(canvas: Canvas) {
    this.canvas = canvas;
  }

  /** The picture as the worker gets it. */
  small(picture: Picture, size: Size): ImageBitmap {
    const wanted = maskSizeOf(size);
    resize(this.#small, wanted).drawImage(picture, 0, 0, wanted.width, wanted.height);
    return this.#small.transferToImageBitmap();
  }

  setMask({ width, height, pixels }: Mask): void {
    resize(this.#mask, { width, height }).putImageData(new ImageData(pixels, width, height), 0, 0);
  }

  /** Draws one picture; until there is a mask all of it is background. */
  draw(picture: Picture, size: Size): void {
    const { width, height } = size;
    const context = resize(this.canvas, size);
    context.globalCompositeOperation = 'copy';
    // Enlarged smoothly, which makes its edges soft.
    context.drawImage(this.#mask, 0, 0, width, height);
    context.globalCompositeOperation = 'source-in';
    context.drawImage(picture, 0, 0, width, height);
    context.globalCompositeOperation = 'destination-over';
    this.#blur(picture, size);
    context.drawImage(this.#background, 0, 0, width, height);
  }

  #blur(picture: Picture, { width, height }: Size): void {
    const canBlur = 'filter' in this.#probe();
    const smaller = canBlur ? blurWidth : coarseWidth;
    const size = { width: smaller, height: Math.max(1, Math.round((smaller * height) / Math.max(1, width))) };
    const context = resize(this.#background, size);
    // At the rim a blur takes in nothing, which is dark; so what is blurred reaches beyond it.
    const beyond = canBlur ? blurRadius * 2 : 0;
    if (canBlur) context.filter = `blur(${blurRadius}px)`;
    context.drawImage(picture, -beyond, -beyond, size.width + 2 * beyond, size.height + 2 * beyond);
  }

  #probe(): Context {
    return contextOf(this.#background);
  }
}
