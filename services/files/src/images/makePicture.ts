import { limits } from '@nolo/rules';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { pictureTypes } from '../domain/nature.ts';
import type { Picture } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import { fileNotImage, imageTooLarge } from '../errors.ts';
import './decoders.ts';

/** Side of what is kept, in pixels. */
const side = 512;

/**
 * The picture that is shown of a person, a group or a brand: a square, or the whole of it. Decodes what was uploaded and encodes it anew: whatever else the file
 * carried (metadata, a place, a script behind the pixels) is not in the result.
 *
 * @throws AppError file_not_image, image_too_large, or what the decoder throws
 */
export async function makePicture(bytes: Uint8Array, shape: PictureShape): Promise<Picture> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (!type || !pictureTypes.has(type.mime)) throw fileNotImage();
  const open = (limitInputPixels: number | false): Sharp =>
    // Of an animation the first page; a file that is cut off or damaged is refused, oddities are not.
    sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1 });
  const { width, height } = await open(false).metadata();
  if (width * height > limits.imagePixels) throw imageTooLarge();
  // autoOrient, because the orientation stands in the metadata that is dropped.
  const resized = open(limits.imagePixels)
    .autoOrient()
    .resize(side, side, shape === 'square' ? { fit: 'cover' } : { fit: 'inside', withoutEnlargement: true });
  return { bytes: await resized.webp({ quality: shape === 'square' ? 82 : 90 }).toBuffer(), contentType: 'image/webp' };
}
