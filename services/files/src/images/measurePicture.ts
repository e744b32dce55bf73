import { limits } from '@nolo/rules';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { pictureTypes } from '../domain/nature.ts';
import { fileNotImage } from '../errors.ts';
import { cleanApng } from './cleanApng.ts';
import './decoders.ts';

/** All frames of an animation together: they are held at once. */
const mostAnimatedPixels = 2 * limits.imagePixels;

/**
 * How many times the work of a JPEG each format is, from 40 to 90 ms of a processor for a million pixels: decoded for
 * itself and for each smaller picture, and encoded once. Measured with flat, smooth and noisy pictures.
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

/** What a picture is by its header. */
export interface PictureHeader {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** What making something of a picture takes, known before a pixel is decoded. */
export interface PictureCost {
  /** In megapixels of a JPEG that take as long, and no less than its megabytes. */
  readonly cost: number;
  /** It has more pixels than any picture may. */
  readonly isTooLarge: boolean;
}

/** The type of a picture, by its bytes. @throws AppError file_not_image */
export async function pictureTypeOf(bytes: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (!found || !pictureTypes.has(found.mime)) throw fileNotImage();
  return found.mime;
}

/**
 * Reads the header, and of an animation where its frames are; no pixel is decoded.
 *
 * @throws what the decoder throws
 */
export async function readHeader(bytes: Uint8Array, type: string): Promise<PictureHeader> {
  const { width, height, pages } = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata();
  return { width, height, frames: (animated.has(type) ? pages : undefined) ?? 1 };
}

/** The most pixels that a decoder may be asked for. */
export const mostPixels = ({ frames }: Pick<PictureHeader, 'frames'>): number =>
  frames > 1 ? mostAnimatedPixels : limits.imagePixels;

export function isTooLarge({ width, height, frames }: PictureHeader): boolean {
  return width * height > limits.imagePixels || width * height * frames > mostPixels({ frames });
}

/** An animated PNG is one for its decoder, and is told from others only by what may stand far behind the beginning. */
const formatOf = (type: string): string => (type === 'image/apng' ? 'image/png' : type);

/**
 * @param type of a picture that is made anew with all its frames; of one that is shown, only the first is decoded
 * @throws AppError file_not_image, image_too_large, or what the decoder throws
 */
export async function measurePicture(bytes: Uint8Array, type: string | undefined): Promise<PictureCost> {
  const known = await pictureTypeOf(bytes);
  const found = type ?? known;
  // The decoder goes by the bytes, and the cost by the type.
  if (formatOf(found) !== formatOf(known)) throw fileNotImage();
  const header = await readHeader(bytes, found);
  const decoded = type === undefined ? { ...header, frames: 1 } : header;
  // Frames of an animated PNG are not decoded, but looked at by others.
  const shown = type === 'image/apng' ? { ...header, frames: cleanApng(bytes)?.frames ?? 1 } : decoded;
  const pixels = decoded.width * decoded.height * decoded.frames * (weights[found] ?? 1);
  // A header may say little of what is read again and again behind it.
  return { cost: Math.max(pixels, bytes.length) / 1_000_000, isTooLarge: isTooLarge(shown) };
}
