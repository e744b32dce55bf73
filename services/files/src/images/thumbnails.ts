import { thumbnailBytes, thumbnailWidthsOf } from '@nolo/rules';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Thumbnail } from '../domain/sharedPorts.ts';
import { bareWebp } from './bareWebp.ts';
import './decoders.ts';

/** What smaller pictures are made of, or held against. */
export interface Whole {
  /** Decodes it anew, as it stands: turned, and of an animation the first picture. */
  readonly open: () => Sharp;
  /** Pixels, as it is shown. */
  readonly width: number;
  readonly height: number;
  readonly moves: boolean;
}

/** Two pictures are held against each other shrunk to so many pixels a side. */
const lookEdge = 32;
/** From 0 to 255: what codecs and ways to shrink may differ by, on average and in any one place. */
const mostOnAverage = 6;
const mostInOnePlace = 48;

/** How a picture looks from far away. What can be seen through stands on grey. */
async function lookOf(picture: Sharp): Promise<Buffer> {
  return picture
    .flatten({ background: '#808080' })
    .resize(lookEdge, lookEdge, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
}

function looksAlike(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length || one.length === 0) return false;
  let sum = 0;
  for (const [index, value] of one.entries()) {
    const difference = Math.abs(value - (other[index] ?? 0));
    if (difference > mostInOnePlace) return false;
    sum += difference;
  }
  return sum / one.length <= mostOnAverage;
}

/**
 * The given smaller picture without anything but its pixels, if it is what it claims: of that width and the whole's
 * proportions, not larger than such a one need be, decoded without complaint, and looking like the whole.
 */
async function checked(given: Thumbnail, whole: Whole, look: () => Promise<Buffer>): Promise<Buffer | undefined> {
  const { width: step, bytes } = given;
  if (bytes.length > thumbnailBytes(step)) return undefined;
  const bare = bareWebp(bytes);
  if (!bare) return undefined;
  const wide = Math.min(step, whole.width);
  const high = (whole.height * wide) / whole.width;
  const open = () => sharp(bare, { failOn: 'warning', limitInputPixels: wide * (Math.ceil(high) + 1) });
  try {
    const { format, width, height } = await open().metadata();
    if (format !== 'webp' || width !== wide || Math.abs(height - high) > 1) return undefined;
    return looksAlike(await lookOf(open()), await look()) ? bare : undefined;
  } catch {
    // What cannot be decoded is not handed to anybody else's decoder either.
    return undefined;
  }
}

/** The smaller pictures of a whole: those that came with it where they are what they claim, else made of it. */
export async function thumbnailsOf(whole: Whole, given: readonly Thumbnail[]): Promise<Thumbnail[]> {
  let look: Promise<Buffer> | undefined;
  const lookOfWhole = () => (look ??= lookOf(whole.open()));
  const made: Thumbnail[] = [];
  for (const width of thumbnailWidthsOf(whole)) {
    const came = given.find((one) => one.width === width);
    const bytes =
      (came && (await checked(came, whole, lookOfWhole))) ??
      (await whole.open().resize({ width, withoutEnlargement: true }).webp({ quality: 78 }).toBuffer());
    made.push({ width, bytes });
  }
  return made;
}

/** Larger ones do not make a better miniature. */
const miniatureEdge = 100;

/** A blurred miniature in some 25 bytes, as Base64. */
export async function thumbhashOf(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize(miniatureEdge, miniatureEdge, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
