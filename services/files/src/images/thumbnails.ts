import { maxThumbnailBytesFor, thumbnailWidthsOf } from '@nolo/rules';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Thumbnail } from '../domain/sharedPorts.ts';
import { stripWebpMetadata } from './stripWebpMetadata.ts';
import './decoders.ts';

/** Picture that thumbnails are created from or compared with. */
export interface SourcePicture {
  /** Decodes it again as displayed: rotated, and only the first frame of an animation. */
  readonly open: () => Sharp;
  /** Width in pixels, as displayed. */
  readonly width: number;
  readonly height: number;
  readonly moves: boolean;
}

/** Side length in pixels to which two pictures are shrunk for comparison. */
const comparisonEdge = 32;
/** Permitted difference caused by codecs and scaling, on average and at any point; 0 to 255. */
const maxMeanDifference = 6;
const maxSingleDifference = 48;

/** Returns the appearance of a picture from a distance. Transparency is shown on gray. */
async function renderForComparison(picture: Sharp): Promise<Buffer> {
  return picture
    .flatten({ background: '#808080' })
    .resize(comparisonEdge, comparisonEdge, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
}

function areSimilar(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length || one.length === 0) return false;
  let sum = 0;
  for (const [index, value] of one.entries()) {
    const difference = Math.abs(value - (other[index] ?? 0));
    if (difference > maxSingleDifference) return false;
    sum += difference;
  }
  return sum / one.length <= maxMeanDifference;
}

/**
 * Returns the pixels of a given thumbnail if it is genuine: it has that width and the proportions of the whole, is no
 * larger than necessary, decodes without errors, and resembles the whole.
 */
async function checked(
  given: Thumbnail,
  whole: SourcePicture,
  wholePixels: () => Promise<Buffer>,
): Promise<Buffer | undefined> {
  const { width: step, bytes } = given;
  if (bytes.length > maxThumbnailBytesFor(step)) return undefined;
  const bare = stripWebpMetadata(bytes);
  if (!bare) return undefined;
  const wide = Math.min(step, whole.width);
  const high = (whole.height * wide) / whole.width;
  const open = () => sharp(bare, { failOn: 'warning', limitInputPixels: wide * (Math.ceil(high) + 1) });
  try {
    const { format, width, height } = await open().metadata();
    if (format !== 'webp' || width !== wide || Math.abs(height - high) > 1) return undefined;
    return areSimilar(await renderForComparison(open()), await wholePixels()) ? bare : undefined;
  } catch {
    // Data that cannot be decoded must not reach other decoders either.
    return undefined;
  }
}

/** Returns the thumbnails of a picture: the given ones if genuine, otherwise newly created ones. */
export async function createThumbnails(whole: SourcePicture, given: readonly Thumbnail[]): Promise<Thumbnail[]> {
  let wholePixels: Promise<Buffer> | undefined;
  const renderWhole = () => (wholePixels ??= renderForComparison(whole.open()));
  const made: Thumbnail[] = [];
  for (const width of thumbnailWidthsOf(whole)) {
    const came = given.find((one) => one.width === width);
    const bytes =
      (came && (await checked(came, whole, renderWhole))) ??
      (await whole.open().resize({ width, withoutEnlargement: true }).webp({ quality: 78 }).toBuffer());
    made.push({ width, bytes });
  }
  return made;
}

/** Side length of the input; larger ones do not improve the result. */
const miniatureEdge = 100;

/** Returns a blurred thumbnail of about 25 bytes, as Base64. */
export async function computeThumbhash(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize(miniatureEdge, miniatureEdge, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
