import { limits } from '@nolo/rules';
import sharp from 'sharp';
import type { Picture } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import { imageTooLarge } from '../errors.ts';
import './decoders.ts';
import { isTooLarge, pictureTypeOf, readHeader } from './measurePicture.ts';

/** Side of what is kept, in pixels. */
const side = 512;

/**
 * The picture that is shown of a person, a group or a brand: a square, or the whole of it. Decodes what was uploaded and encodes it anew: whatever else the file
 * carried (metadata, a place, a script behind the pixels) is not in the result.
 *
 * @throws AppError file_not_image, image_too_large, or what the decoder throws
 */
export async function makePicture(bytes: Uint8Array, shape: PictureShape): Promise<Picture> {
  const header = await readHeader(bytes, await pictureTypeOf(bytes));
  if (isTooLarge({ ...header, frames: 1 })) throw imageTooLarge();
  // Of an animation the first page; a file that is cut off or damaged is refused, oddities are not.
  const resized = sharp(bytes, { limitInputPixels: limits.imagePixels, failOn: 'error', pages: 1 })
    // The orientation stands in the metadata that is dropped.
    .autoOrient()
    .resize(side, side, shape === 'square' ? { fit: 'cover' } : { fit: 'inside', withoutEnlargement: true });
  return { bytes: await resized.webp({ quality: shape === 'square' ? 82 : 90 }).toBuffer(), contentType: 'image/webp' };
}
