import { limits } from '@nolo/rules';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { pictureTypes } from '../domain/nature.ts';
import { fileNotImage } from '../errors.ts';
import { stripApngMetadata } from './stripApngMetadata.ts';
import './decoders.ts';

/** Maximum pixels of all frames of an animation together, because they are in memory at once. */
const maxAnimatedPixels = 2 * limits.imagePixels;

/**
 * Cost of each format relative to a JPEG, which takes 40 to 90 ms of CPU time per megapixel: decoded for the picture
 * and for each thumbnail, and encoded once. Measured with flat, smooth and noisy pictures.
 */
const weights: Readonly<Record<string, number>> = {
  'image/jpeg': 1,
  'image/png': 2,
  'image/apng': 2,
  'image/webp': 3,
  'image/gif': 3,
  'image/avif': 6,
};

const animated: ReadonlySet<string> = new Set(['image/gif', 'image/webp']);

/** Header of a picture. */
export interface PictureHeader {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** Cost of processing a picture, known before any pixel is decoded. */
export interface PictureCost {
  /** Cost in megapixels of a JPEG that takes equally long, at least the size in megabytes. */
  readonly cost: number;
  /** True if it exceeds the maximum number of pixels. */
  readonly isTooLarge: boolean;
}

/** Returns the type of a picture, from its bytes. @throws AppError file_not_image */
export async function pictureTypeOf(bytes: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (!found || !pictureTypes.has(found.mime)) throw fileNotImage();
  return found.mime;
}

/**
 * Reads the header, and the positions of an animation's frames; decodes no pixels.
 *
 * @throws what the decoder throws
 */
export async function readHeader(bytes: Uint8Array, type: string): Promise<PictureHeader> {
  const { width, height, pages } = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata();
  return { width, height, frames: (animated.has(type) ? pages : undefined) ?? 1 };
}

/** Returns the maximum number of pixels to decode. */
export const getMaxDecodedPixels = ({ frames }: Pick<PictureHeader, 'frames'>): number =>
  frames > 1 ? maxAnimatedPixels : limits.imagePixels;

export function isTooLarge({ width, height, frames }: PictureHeader): boolean {
  return width * height > limits.imagePixels || width * height * frames > getMaxDecodedPixels({ frames });
}

/**
 * Returns the format for the decoder, to which an animated PNG is a PNG. Only data that may be far from the beginning
 * tells them apart.
 */
const formatOf = (type: string): string => (type === 'image/apng' ? 'image/png' : type);

/**
 * Measures a picture.
 *
 * @param type of a picture to re-encode with all frames. Undefined: a picture to display, of which only the first frame
 * is decoded
 * @throws AppError file_not_image, image_too_large, or what the decoder throws
 */
export async function measurePicture(bytes: Uint8Array, type: string | undefined): Promise<PictureCost> {
  const known = await pictureTypeOf(bytes);
  const found = type ?? known;
  // The decoder depends on the bytes, the cost on the type, so they must match.
  if (formatOf(found) !== formatOf(known)) throw fileNotImage();
  const header = await readHeader(bytes, found);
  const decoded = type === undefined ? { ...header, frames: 1 } : header;
  // Frames of an animated PNG are not decoded here, but by viewers.
  const shown = type === 'image/apng' ? { ...header, frames: stripApngMetadata(bytes)?.frames ?? 1 } : decoded;
  const pixels = decoded.width * decoded.height * decoded.frames * (weights[found] ?? 1);
  // A header may understate data after it that is read repeatedly.
  return { cost: Math.max(pixels, bytes.length) / 1_000_000, isTooLarge: isTooLarge(shown) };
}
