import { thumbnailBytes, thumbnailWidthsOf } from '@nolo/rules';
import { rgbaToThumbHash } from 'thumbhash';
import { cleanPicture, isForPrint, pictureTypeOf } from './cleaning/cleanPicture.ts';
import { findPlace } from './cleaning/findPlace.ts';
import { movesIn } from './movesIn.ts';

/*
 * What is made of pictures before they are sent. It takes the processor for a while, so it is done in a worker
 * (pictureWorker.ts), and needs nothing that only pages have.
 */

/** A smaller picture, for those who see it in a list. */
interface MadeThumbnail {
  readonly width: number;
  readonly file: Blob;
}

/** What others see before a picture is there. */
interface Looks {
  readonly thumbnails: readonly MadeThumbnail[];
  /** A miniature in some 25 bytes, as Base64. */
  readonly thumbhash: string | undefined;
}

export interface MadePicture extends Looks {
  /** The picture without what it says of its maker. */
  readonly file: Blob;
  /** Pixels, as it is shown. */
  readonly width: number;
  readonly height: number;
  readonly moves: boolean;
  /** True where the file still says where it was made. */
  readonly mayTellPlace: boolean;
}

export interface MadeStill extends Looks {
  readonly file: Blob;
}

/** A picture beyond this is made smaller: no screen shows more, and it takes long to send. */
const mostEdge = 4_096;
const posterEdge = 960;
/** Larger ones do not make a better miniature. */
const miniatureEdge = 100;

/** Drawn anew, so large. Undefined where the browser has no room for it. */
function drawn(
  picture: CanvasImageSource,
  width: number,
  height: number,
  ground?: string,
): OffscreenCanvas | undefined {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  if (ground !== undefined) {
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Some browsers write no WebP, and hand out something else instead. */
async function asWebp(canvas: OffscreenCanvas, quality: number): Promise<Blob | undefined> {
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  return blob.type === 'image/webp' ? blob : undefined;
}

function thumbhashOf(picture: CanvasImageSource, width: number, height: number): string | undefined {
  const scale = Math.min(1, miniatureEdge / Math.max(width, height));
  const canvas = drawn(picture, width * scale, height * scale);
  const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
  if (!pixels) return undefined;
  return btoa(String.fromCharCode(...rgbaToThumbHash(pixels.width, pixels.height, pixels.data)));
}

/** The smaller pictures that the server would make too, each of the next larger one. It checks them. */
async function looksOf(picture: ImageBitmap, moves: boolean): Promise<Looks> {
  const { width, height } = picture;
  const thumbnails: MadeThumbnail[] = [];
  let source: ImageBitmap | OffscreenCanvas = picture;
  for (const step of thumbnailWidthsOf({ width, height, moves }).toReversed()) {
    const wide = Math.min(step, width);
    const canvas = drawn(source, wide, (height * wide) / width);
    if (!canvas) continue;
    source = canvas;
    const file = await asWebp(canvas, 0.8);
    if (file && file.size <= thumbnailBytes(step)) thumbnails.unshift({ width: step, file });
  }
  return { thumbnails, thumbhash: thumbhashOf(source, width, height) };
}

/** The same drawn anew: as a photograph where it is one, else as something that can be seen through. */
async function redrawn(picture: ImageBitmap, type: string): Promise<Blob | undefined> {
  const scale = Math.min(1, mostEdge / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width * scale, picture.height * scale];
  const canvas = drawn(picture, width, height);
  if (!canvas) return undefined;
  if (type === 'image/png') return canvas.convertToBlob({ type });
  const clear = type === 'image/jpeg' ? undefined : await asWebp(canvas, 0.92);
  if (clear) return clear;
  return drawn(picture, width, height, '#fff')?.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

/**
 * Makes of a picture what is sent: the same without its notes, byte for byte where its kind allows it and it is not too
 * large, else drawn anew; and what others see before it is there. Null for what this browser cannot read, or not without
 * taking something from it.
 */
export async function workOnPicture(given: Blob, type: string): Promise<MadePicture | null> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(given, { imageOrientation: 'from-image' });
  } catch {
    // Its name says picture, and its bytes do not, or not to this browser.
    return null;
  }
  try {
    const bytes = new Uint8Array(await given.arrayBuffer());
    const moves = movesIn(bytes, type);
    const fits = Math.max(picture.width, picture.height) <= mostEdge;
    // Drawn anew, everybody sees colours of printers as the sender does, and a wrong type becomes a right one.
    const isFit = (fits || moves) && pictureTypeOf(bytes) === type && !isForPrint(bytes);
    const clean = isFit ? cleanPicture(bytes) : null;
    // What moves would stand still.
    if (!clean && moves) return null;
    const file = clean ? new Blob([clean], { type }) : await redrawn(picture, type);
    if (!file) return null;
    const scale = clean ? 1 : Math.min(1, mostEdge / Math.max(picture.width, picture.height));
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    const mayTellPlace = await findPlace(file);
    return { file, width, height, moves, mayTellPlace, ...(await looksOf(picture, moves)) };
  } finally {
    picture.close();
  }
}

/** Makes of a picture out of a video the one that stands in its place. */
export async function workOnStill(picture: ImageBitmap): Promise<MadeStill | null> {
  try {
    const scale = Math.min(1, posterEdge / Math.max(picture.width, picture.height));
    const canvas = drawn(picture, picture.width * scale, picture.height * scale);
    const file = await canvas?.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    if (!canvas || !file) return null;
    const poster = canvas.transferToImageBitmap();
    const looks = await looksOf(poster, false);
    poster.close();
    return { file, ...looks };
  } finally {
    picture.close();
  }
}
