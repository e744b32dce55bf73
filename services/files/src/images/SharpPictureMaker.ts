import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import type { Picture, PictureMaker } from '../domain/ports.ts';
import { fileNotImage, imageTooLarge, picturesBusy } from '../errors.ts';

/** Side of the square that is kept, in pixels. */
const side = 512;
/** A small file can unfold to gigabytes; nothing above this is decoded. */
const maxPixels = 50_000_000;
/** Pictures decoded at the same time; each may need some hundred megabytes. */
const atOnce = 2;
const timeoutSeconds = 20;
/** Pictures that wait for their turn, each with its bytes in memory; the next one is turned away. */
const mostWaiting = 16;

const accepted = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']);

// Decoders that we do not ask for cannot be reached by a crafted file either (SVG, TIFF and the rest).
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPng',
    'VipsForeignLoadJpeg',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
});
// Uploads are seen once, so a cache only holds memory; and one picture does not take all cores.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes what was uploaded and encodes it anew: whatever else the file carried (metadata, a place,
 * a script behind the pixels) is not in the result. sharp works in libuv's threads, so the event loop
 * goes on meanwhile.
 */
export class SharpPictureMaker implements PictureMaker {
  #working = 0;
  readonly #waiting: (() => void)[] = [];

  async make(bytes: Uint8Array): Promise<Picture> {
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
    if (!type || !accepted.has(type.mime)) throw fileNotImage();
    await this.#enter();
    try {
      return { bytes: await this.#convert(bytes), contentType: 'image/webp' };
    } finally {
      this.#leave();
    }
  }

  async #convert(bytes: Uint8Array): Promise<Uint8Array> {
    const open = (limitInputPixels: number | false): Sharp =>
      // Of an animation the first page; a file that is cut off or damaged is refused, oddities are not.
      sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1 }).timeout({ seconds: timeoutSeconds });
    try {
      const { width, height } = await open(false).metadata();
      if (width * height > maxPixels) throw imageTooLarge();
      // autoOrient, because the orientation stands in the metadata that is dropped.
      return await open(maxPixels).autoOrient().resize(side, side, { fit: 'cover' }).webp({ quality: 82 }).toBuffer();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'image_too_large') throw error;
      throw fileNotImage(error);
    }
  }

  async #enter(): Promise<void> {
    if (this.#working < atOnce) {
      this.#working += 1;
      return;
    }
    if (this.#waiting.length >= mostWaiting) throw picturesBusy();
    // Whoever leaves hands its place on, so the count stays.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#working -= 1;
  }
}
