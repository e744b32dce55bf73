import { maxThumbnailBytesFor, thumbnailWidthsOf } from '@nolo/rules';
import { rgbaToThumbHash } from 'thumbhash';
import { removePictureMetadata, hasPrintColors, pictureTypeOf } from './cleaning/removePictureMetadata.ts';
import { hasLocationData } from './cleaning/hasLocationData.ts';
import { isAnimated } from './isAnimated.ts';

/*
 * Processing of pictures before they are sent. It is CPU-intensive, so it runs in a worker (pictureWorker.ts) and uses
 * nothing that only pages have.
 */

/** Smaller version of a picture, for lists. */
interface MadeThumbnail {
  readonly width: number;
  readonly file: Blob;
}

/** Previews shown until a picture loads. */
interface PicturePreview {
  readonly thumbnails: readonly MadeThumbnail[];
  /** Miniature of some 25 bytes, as Base64. */
  readonly thumbhash: string | undefined;
}

export interface ProcessedPicture extends PicturePreview {
  /** Picture without metadata. */
  readonly file: Blob;
  /** Width in pixels, as displayed. */
  readonly width: number;
  readonly height: number;
  readonly moves: boolean;
  /** True if the file still contains its location. */
  readonly canRevealLocation: boolean;
}

export interface VideoPoster extends PicturePreview {
  readonly file: Blob;
}

/** Maximum edge in pixels. Larger pictures are scaled down: no screen shows more, and they take long to send. */
const maxPictureEdge = 4_096;
const posterEdge = 960;
/** Maximum edge in pixels for the miniature. More does not improve it. */
const miniatureEdge = 100;

/** Redraws a picture at a size. Returns undefined if the browser lacks memory for it. */
function drawn(
  picture: CanvasImageSource,
  width: number,
  height: number,
  background?: string,
): OffscreenCanvas | undefined {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Browsers without a WebP encoder return another format. */
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

/**
 * Creates the smaller versions that the server would create too, each from the next larger one. The server checks them.
 */
async function createPreview(picture: ImageBitmap, moves: boolean): Promise<PicturePreview> {
  const { width, height } = picture;
  const thumbnails: MadeThumbnail[] = [];
  let source: ImageBitmap | OffscreenCanvas = picture;
  for (const step of thumbnailWidthsOf({ width, height, moves }).toReversed()) {
    const wide = Math.min(step, width);
    const canvas = drawn(source, wide, (height * wide) / width);
    if (!canvas) continue;
    source = canvas;
    const file = await asWebp(canvas, 0.8);
    if (file && file.size <= maxThumbnailBytesFor(step)) thumbnails.unshift({ width: step, file });
  }
  return { thumbnails, thumbhash: thumbhashOf(source, width, height) };
}

/** Redraws a picture: JPEG for photographs, otherwise a format with transparency. */
async function redrawn(picture: ImageBitmap, type: string): Promise<Blob | undefined> {
  const scale = Math.min(1, maxPictureEdge / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width * scale, picture.height * scale];
  const canvas = drawn(picture, width, height);
  if (!canvas) return undefined;
  if (type === 'image/png') return canvas.convertToBlob({ type });
  const clear = type === 'image/jpeg' ? undefined : await asWebp(canvas, 0.92);
  if (clear) return clear;
  return drawn(picture, width, height, '#fff')?.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

/**
 * Converts a picture to what is sent: without metadata, byte for byte if its format and size allow, otherwise redrawn.
 * Also creates its previews. Returns null if this browser cannot read it, or not without loss.
 */
export async function processPicture(given: Blob, type: string): Promise<ProcessedPicture | null> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(given, { imageOrientation: 'from-image' });
  } catch {
    // The name says picture, but the bytes do not, or not to this browser.
    return null;
  }
  try {
    const bytes = new Uint8Array(await given.arrayBuffer());
    const moves = isAnimated(bytes, type);
    const fits = Math.max(picture.width, picture.height) <= maxPictureEdge;
    // Redrawing gives everyone the same colors for print pictures, and corrects a wrong type.
    const isFit = (fits || moves) && pictureTypeOf(bytes) === type && !hasPrintColors(bytes);
    const clean = isFit ? removePictureMetadata(bytes) : null;
    // Redrawing would stop an animation.
    if (!clean && moves) return null;
    const file = clean ? new Blob([clean], { type }) : await redrawn(picture, type);
    if (!file) return null;
    const scale = clean ? 1 : Math.min(1, maxPictureEdge / Math.max(picture.width, picture.height));
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    const canRevealLocation = await hasLocationData(file);
    return { file, width, height, moves, canRevealLocation, ...(await createPreview(picture, moves)) };
  } finally {
    picture.close();
  }
}

export async function createVideoPoster(picture: ImageBitmap): Promise<VideoPoster | null> {
  try {
    const scale = Math.min(1, posterEdge / Math.max(picture.width, picture.height));
    const canvas = drawn(picture, picture.width * scale, picture.height * scale);
    const file = await canvas?.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    if (!canvas || !file) return null;
    const poster = canvas.transferToImageBitmap();
    const preview = await createPreview(poster, false);
    poster.close();
    return { file, ...preview };
  } finally {
    picture.close();
  }
}
