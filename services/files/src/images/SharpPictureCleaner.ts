import { isAppError } from '@nolo/kit/errors';
import { limits } from '@nolo/rules';
import sharp, { type Sharp } from 'sharp';
import type { CleanPicture, PictureCleaner, Thumbnail } from '../domain/sharedPorts.ts';
import { fileNotImage, imageTooLarge } from '../errors.ts';
import { timeoutSeconds, Turns } from './decoding.ts';
import { thumbhashOf, thumbnailsOf } from './thumbnails.ts';

/** All frames of an animation together: they are held at once. */
const mostAnimatedPixels = 2 * limits.imagePixels;

/** How each format is written again. AVIF is given little effort, for at its usual one a photograph takes a minute. */
const encoders: Readonly<Record<string, { contentType: string; encode: (picture: Sharp) => Sharp }>> = {
  'image/jpeg': { contentType: 'image/jpeg', encode: (picture) => picture.jpeg({ quality: 88 }) },
  'image/png': { contentType: 'image/png', encode: (picture) => picture.png() },
  // An animated PNG is decoded as the picture that stands in its place.
  'image/apng': { contentType: 'image/png', encode: (picture) => picture.png() },
  'image/webp': { contentType: 'image/webp', encode: (picture) => picture.webp({ quality: 88 }) },
  'image/gif': { contentType: 'image/gif', encode: (picture) => picture.gif() },
  'image/avif': { contentType: 'image/avif', encode: (picture) => picture.avif({ quality: 60, effort: 2 }) },
};

const animated: ReadonlySet<string> = new Set(['image/gif', 'image/webp']);

/** See SharpPictureMaker: what comes out holds pixels, and nothing else of the file. */
export class SharpPictureCleaner implements PictureCleaner {
  readonly #turns: Turns;

  constructor(turns: Turns = new Turns()) {
    this.#turns = turns;
  }

  async clean(read: () => Promise<Uint8Array>, type: string, given: readonly Thumbnail[]): Promise<CleanPicture> {
    const encoder = encoders[type];
    if (!encoder) throw fileNotImage();
    return this.#turns.take(async () => {
      const bytes = await read();
      try {
        return await this.#clean(bytes, encoder, animated.has(type), given);
      } catch (error) {
        throw isAppError(error) ? error : fileNotImage(error);
      }
    });
  }

  async #clean(
    bytes: Uint8Array,
    { contentType, encode }: NonNullable<(typeof encoders)[string]>,
    mayMove: boolean,
    given: readonly Thumbnail[],
  ): Promise<CleanPicture> {
    const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata();
    const moves = mayMove && pages > 1;
    if (width * height > limits.imagePixels || (moves && width * height * pages > mostAnimatedPixels)) {
      throw imageTooLarge();
    }
    const input = { limitInputPixels: mostAnimatedPixels, failOn: 'error' } as const;
    const open = (all: boolean): Sharp =>
      // The orientation stands in the metadata that is dropped; animations are not turned.
      all
        ? sharp(bytes, { ...input, animated: true }).timeout({ seconds: timeoutSeconds })
        : sharp(bytes, { ...input, pages: 1 })
            .timeout({ seconds: timeoutSeconds })
            .autoOrient();
    const { data, info } = await encode(open(moves)).toBuffer({ resolveWithObject: true });
    const shown = { width: info.width, height: info.pageHeight ?? info.height };
    const thumbnails = await thumbnailsOf({ open: () => open(false), ...shown, moves }, given);
    const [smallest] = thumbnails;
    const thumbhash = await thumbhashOf(smallest ? sharp(smallest.bytes) : open(false));
    return { bytes: data, contentType, ...shown, thumbnails, thumbhash, moves };
  }
}
