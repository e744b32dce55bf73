import sharp, { type Sharp } from 'sharp';
import type { CleanedPicture, Thumbnail } from '../domain/sharedPorts.ts';
import { fileNotImage, imageTooLarge } from '../errors.ts';
import { stripApngMetadata } from './stripApngMetadata.ts';
import './decoders.ts';
import { isTooLarge, getMaxDecodedPixels, readHeader } from './measurePicture.ts';
import { computeThumbhash, createThumbnails } from './thumbnails.ts';

/** Maximum pixels for AVIF, whose encoder needs about 20 bytes per pixel; WebP needs 6 and is used for larger ones. */
const maxAvifPixels = 16_000_000;
/** Maximum side length of a WebP. */
const webpEdge = 16_383;

interface Encoder {
  readonly contentType: string;
  readonly encode: (picture: Sharp) => Sharp;
}

/** Encoders by format. AVIF uses low effort because a photograph takes a minute at the default. */
const encoders = {
  'image/jpeg': { contentType: 'image/jpeg', encode: (picture) => picture.jpeg({ quality: 88 }) },
  'image/png': { contentType: 'image/png', encode: (picture) => picture.png() },
  // An animated PNG is decoded as its static image, and encoded as such if it is not animated.
  'image/apng': { contentType: 'image/png', encode: (picture) => picture.png() },
  'image/webp': { contentType: 'image/webp', encode: (picture) => picture.webp({ quality: 88 }) },
  'image/gif': { contentType: 'image/gif', encode: (picture) => picture.gif() },
  'image/avif': { contentType: 'image/avif', encode: (picture) => picture.avif({ quality: 60, effort: 2 }) },
} satisfies Record<string, Encoder>;

const isEncoded = (type: string): type is keyof typeof encoders => Object.hasOwn(encoders, type);

function encoderOf(type: string, width: number, height: number): Encoder {
  if (!isEncoded(type)) throw fileNotImage();
  const isLarge = width * height > maxAvifPixels && Math.max(width, height) <= webpEdge;
  return encoders[type === 'image/avif' && isLarge ? 'image/webp' : type];
}

/**
 * Re-encodes a picture in its own format and creates thumbnails: the output has only the pixels of the file. An
 * animated PNG cannot be encoded here, so it keeps its bytes without metadata. Its structure and its first frame are
 * checked, but not the pixels of its other frames.
 *
 * @throws AppError file_not_image, image_too_large, or what the decoder throws
 */
export async function cleanPicture(
  file: Uint8Array,
  type: string,
  given: readonly Thumbnail[],
): Promise<CleanedPicture> {
  const apng = type === 'image/apng' ? stripApngMetadata(file) : undefined;
  const bytes = apng?.bytes ?? file;
  const read = await readHeader(bytes, type);
  const header = { ...read, frames: apng?.frames ?? read.frames };
  if (isTooLarge(header)) throw imageTooLarge();
  const moves = header.frames > 1;
  const { contentType, encode } = encoderOf(type, header.width, header.height);
  const input = { limitInputPixels: getMaxDecodedPixels(header), failOn: 'error' } as const;
  const open = (all: boolean): Sharp =>
    // The orientation is in the dropped metadata; animations are not rotated.
    all ? sharp(bytes, { ...input, animated: true }) : sharp(bytes, { ...input, pages: 1 }).autoOrient();
  const { data, info } = await encode(open(moves && !apng)).toBuffer({ resolveWithObject: true });
  const shown = { width: info.width, height: info.pageHeight ?? info.height };
  const thumbnails = await createThumbnails({ open: () => open(false), ...shown, moves }, given);
  const [smallest] = thumbnails;
  const thumbhash = await computeThumbhash(smallest ? sharp(smallest.bytes) : open(false));
  return { bytes: apng && moves ? apng.bytes : data, contentType, ...shown, thumbnails, thumbhash, moves };
}
