import { limits } from '@nolo/rules';
import sharp from 'sharp';
import type { EncodedPicture } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import { imageTooLarge } from '../errors.ts';
import './decoders.ts';
import { isTooLarge, pictureTypeOf, readHeader } from './measurePicture.ts';

/** Side length of the result in pixels. */
const side = 512;

/**
 * Creates the displayed picture of a person, a group or a brand: a square, or the whole picture. Re-encoding removes
 * everything else in the file (metadata, a location, a script after the pixels).
 *
 * @throws AppError file_not_image, image_too_large, or what the decoder throws
 */
export async function makeDisplayPicture(bytes: Uint8Array, shape: PictureShape): Promise<EncodedPicture> {
  const header = await readHeader(bytes, await pictureTypeOf(bytes));
  if (isTooLarge({ ...header, frames: 1 })) throw imageTooLarge();
  // Uses the first page of an animation. Truncated or damaged files are refused, oddities are not.
  const resized = sharp(bytes, { limitInputPixels: limits.imagePixels, failOn: 'error', pages: 1 })
    // The orientation is in the dropped metadata.
    .autoOrient()
    .resize(side, side, shape === 'square' ? { fit: 'cover' } : { fit: 'inside', withoutEnlargement: true });
  return { bytes: await resized.webp({ quality: shape === 'square' ? 82 : 90 }).toBuffer(), contentType: 'image/webp' };
}
