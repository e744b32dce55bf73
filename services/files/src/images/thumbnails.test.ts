import { maxThumbnailBytesFor } from '@nolo/rules';
import sharp, { type Sharp } from 'sharp';
import type { Thumbnail } from '../domain/sharedPorts.ts';
import { stripWebpMetadata } from './stripWebpMetadata.ts';
import { cleanPicture } from './cleanPicture.ts';

const clean = (bytes: Uint8Array, given: Thumbnail[] = [], type = 'image/jpeg') => cleanPicture(bytes, type, given);

/** Generates a landscape-like picture with details of one pixel, because vector drawings are not decoded here. */
function scene(width: number, height: number, sky: readonly number[] = [79, 143, 208]): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sun = Math.hypot(x - width * 0.7, y - height * 0.25) < height * 0.1;
      const line = y > height * 0.4 && (x + 3 * y) % 40 === 0;
      const ground = y > height * 0.55;
      const colour = line ? [255, 255, 255] : sun ? [255, 224, 138] : ground ? [45, 107, 58] : sky;
      pixels.set(colour, (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const webp = (picture: Sharp, width: number, quality = 80) => picture.resize({ width }).webp({ quality }).toBuffer();
const step = (width: 320 | 960, bytes: Uint8Array): Thumbnail => ({ width, bytes });
const stored = async (whole: Uint8Array, given: Thumbnail[], type?: string) =>
  Object.fromEntries(
    (await clean(whole, given, type)).thumbnails.map(({ width, bytes }) => [width, Buffer.from(bytes)]),
  );

let whole: Buffer;
beforeAll(async () => {
  whole = await scene(1_600, 1_000).jpeg({ quality: 90 }).toBuffer();
});

test('thumbnails uploaded with an image are used unchanged', async () => {
  for (const kernel of ['nearest', 'linear', 'cubic', 'lanczos3'] as const) {
    const small = await sharp(whole).resize({ width: 320, kernel }).webp({ quality: 60 }).toBuffer();
    const medium = await sharp(whole).resize({ width: 960, kernel }).webp({ quality: 90 }).toBuffer();
    const kept = await stored(whole, [step(320, small), step(960, medium)]);
    expect([kernel, kept[320]?.equals(small), kept[960]?.equals(medium)]).toEqual([kernel, true, true]);
  }
});

test('a thumbnail is compared with the visible image, including rotation and transparency', async () => {
  const turned = await sharp(whole).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const upright = await webp(sharp(turned).autoOrient(), 320);
  const lying = await webp(sharp(whole), 320);
  expect((await stored(turned, [step(320, upright)]))[320]?.equals(upright)).toBe(true);
  expect((await stored(turned, [step(320, lying)]))[320]?.equals(lying)).toBe(false);

  const round = Buffer.alloc(800 * 600 * 4);
  for (let at = 0; at < 800 * 600; at++) {
    const inside = Math.hypot((at % 800) - 400, Math.floor(at / 800) - 300) < 200;
    if (inside) round.set([204, 51, 51, 255], at * 4);
  }
  const clear = await sharp(round, { raw: { width: 800, height: 600, channels: 4 } })
    .png()
    .toBuffer();
  const small = await webp(sharp(clear), 320);
  expect(stripWebpMetadata(small)?.includes('ALPH')).toBe(true);
  expect((await stored(clear, [step(320, small)], 'image/png'))[320]?.equals(small)).toBe(true);
});

test('only the pixels of an uploaded thumbnail are kept', async () => {
  const taggedThumbnail = await sharp(whole)
    .resize({ width: 320 })
    .webp()
    .withExif({ IFD0: { Artist: 'Somebody Somewhere' } })
    .toBuffer();
  const kept = await stored(whole, [step(320, Buffer.concat([taggedThumbnail, Buffer.from('<script>')]))]);
  expect(taggedThumbnail.includes('Somebody')).toBe(true);
  expect(kept[320]?.includes('Somebody')).toBe(false);
  expect(kept[320]?.includes('<script>')).toBe(false);
  expect((await sharp(kept[320]).metadata()).exif).toBeUndefined();
  // The given thumbnail was used, not one created here.
  expect(kept[320]?.equals(await webp(sharp(whole), 320, 78))).toBe(false);
});

describe('a thumbnail', () => {
  const own = async (given: Uint8Array, of = whole) => {
    const kept = await stored(of, [step(320, given)]);
    expect(kept[320]?.equals(Buffer.from(given))).toBe(false);
    const { width, height, format } = await sharp(kept[320]).metadata();
    expect({ width, height, format }).toEqual({ width: 320, height: 200, format: 'webp' });
  };
  const small = () => webp(sharp(whole), 320);

  test('is regenerated if it shows another image', async () => {
    await own(await webp(scene(1_600, 1_000, [208, 79, 79]), 320));
    await own(await webp(sharp(whole).negate(), 320));
    await own(await webp(sharp(whole).flop(), 320));
  });
  test('is regenerated if it shows something that is not in the image', async () => {
    const card = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    const changed = sharp(await sharp(whole).resize({ width: 320 }).png().toBuffer());
    await own(
      await changed
        .composite([{ input: card, left: 20, top: 20 }])
        .webp()
        .toBuffer(),
    );
  });
  test('is regenerated if its size or aspect ratio differs', async () => {
    await own(await webp(sharp(whole), 319));
    await own(await webp(sharp(whole), 640));
    await own(await sharp(whole).resize(320, 320, { fit: 'fill' }).webp().toBuffer());
  });
  test('is regenerated if it has another format, is truncated, or is animated', async () => {
    await own(await sharp(whole).resize({ width: 320 }).jpeg().toBuffer());
    await own((await small()).subarray(0, 2_000));
    await own(Buffer.from('not a picture'));
    const frames = [await small(), await webp(sharp(whole).negate(), 320)];
    await own(
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    );
  });
  test('is regenerated if it claims a larger size than it has, or is damaged', async () => {
    const lying = await small();
    lying.writeUInt16LE(16_000, 26);
    await own(lying);
    const damaged = await small();
    damaged.fill(0xff, 40, damaged.length - 40);
    await own(damaged);
  });
  test('is regenerated if it is larger than necessary', async () => {
    const large = await sharp(whole).resize({ width: 320 }).webp({ lossless: true }).toBuffer();
    const padded = Buffer.concat([large, Buffer.alloc(maxThumbnailBytesFor(320))]);
    await own(padded);
  });
});

test('a very tall image has only the thumbnails that can be made', async () => {
  const tall = await sharp({ create: { width: 1_000, height: 30_000, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const { height, thumbnails } = await clean(tall);
  expect(height).toBe(30_000);
  expect(thumbnails.map(({ width }) => width)).toEqual([320]);
});

test('any animation has a still thumbnail, however small it is, and any image a thumbhash', async () => {
  const frames = await Promise.all(
    [
      [255, 0, 0],
      [0, 0, 255],
    ].map((sky) => scene(200, 120, sky).png().toBuffer()),
  );
  for (const format of ['gif', 'webp'] as const) {
    const moving = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    const { moves, thumbnails, thumbhash } = await clean(moving, [], `image/${format}`);
    expect([moves, thumbnails.map(({ width }) => width)]).toEqual([true, [320]]);
    const { width, pages = 1 } = await sharp(thumbnails[0]?.bytes).metadata();
    expect([width, pages]).toEqual([200, 1]);
    expect(Buffer.from(thumbhash, 'base64').length).toBeGreaterThan(10);
  }
  const still = await clean(whole);
  expect(still.moves).toBe(false);
  expect(Buffer.from(still.thumbhash, 'base64').length).toBeGreaterThan(10);
});
