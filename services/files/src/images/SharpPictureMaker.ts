import { isAppError } from '@nolo/kit/errors';
import { limits } from '@nolo/rules';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { pictureTypes } from '../domain/nature.ts';
import type { Picture, PictureMaker } from '../domain/ports.ts';
import { fileNotImage, imageTooLarge } from '../errors.ts';
import { timeoutSeconds, Turns } from './decoding.ts';

/** Side of the square that is kept, in pixels. */
const side = 512;

/**
 * Decodes what was uploaded and encodes it anew: whatever else the file carried (metadata, a place,
 * a script behind the pixels) is not in the result. sharp works in libuv's threads, so the event loop
 * goes on meanwhile.
 */
export class SharpPictureMaker implements PictureMaker {
  readonly #turns: Turns;

  constructor(turns: Turns = new Turns()) {
    this.#turns = turns;
  }

  async make(bytes: Uint8Array): Promise<Picture> {
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
    if (!type || !pictureTypes.has(type.mime)) throw fileNotImage();
    return this.#turns.take(async () => ({ bytes: await this.#convert(bytes), contentType: 'image/webp' }));
  }

  async #convert(bytes: Uint8Array): Promise<Uint8Array> {
    const open = (limitInputPixels: number | false): Sharp =>
      // Of an animation the first page; a file that is cut off or damaged is refused, oddities are not.
      sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1 }).timeout({ seconds: timeoutSeconds });
    try {
      const { width, height } = await open(false).metadata();
      if (width * height > limits.imagePixels) throw imageTooLarge();
      // autoOrient, because the orientation stands in the metadata that is dropped.
      return await open(limits.imagePixels)
        .autoOrient()
        .resize(side, side, { fit: 'cover' })
        .webp({ quality: 82 })
        .toBuffer();
    } catch (error) {
      throw isAppError(error) ? error : fileNotImage(error);
    }
  }
}
