import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { createAnimatedPng } from '../../tests/createAnimatedPng.ts';
import { measurePicture } from './measurePicture.ts';

const flat = (width: number, height: number, background = 'teal') =>
  sharp({ create: { width, height, channels: 3, background } });

const animation = async (count: number, width: number, height: number) => {
  const frames = await Promise.all(['red', 'blue'].map((colour) => flat(width, height, colour).png().toBuffer()));
  return Array.from({ length: count }, (_, index) => frames[index % 2]!);
};

test.each([
  ['jpeg', 1],
  ['png', 2],
  ['webp', 3],
  ['gif', 3],
  ['avif', 6],
] as const)('a %s costs %d times its megapixels', async (format, weight) => {
  const bytes = await flat(500, 400).toFormat(format).toBuffer();
  const { cost, isTooLarge } = await measurePicture(bytes, `image/${format}`);
  expect([cost, isTooLarge]).toEqual([expect.closeTo(0.2 * weight, 6), false]);
});

test.each(['gif', 'webp'] as const)(
  'all frames of an animated %s count, or only the first if only that is shown',
  async (format) => {
    const bytes = await sharp(await animation(5, 200, 100), { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    expect((await measurePicture(bytes, `image/${format}`)).cost).toBeCloseTo(0.3, 6);
    expect((await measurePicture(bytes, undefined)).cost).toBeCloseTo(0.06, 6);
  },
);

test('decodes only the first frame of an animated PNG, but checks all', async () => {
  const bytes = createAnimatedPng(await animation(3, 4_000, 10_000), 'A note');
  expect(await measurePicture(bytes, 'image/apng')).toEqual({ cost: expect.closeTo(80, 6), isTooLarge: true });
});

test('too many pixels are detected before decoding', async () => {
  const bytes = await flat(8_000, 7_000).png().toBuffer();
  expect((await measurePicture(bytes, 'image/png')).isTooLarge).toBe(true);
  expect((await measurePicture(bytes, undefined)).isTooLarge).toBe(true);
});

test('a large file has a minimum cost, however few pixels its header claims', async () => {
  const { data, info } = await flat(100, 100).jpeg().toBuffer({ resolveWithObject: true });
  const padded = Buffer.concat([data, randomBytes(3_000_000)]);
  expect((await measurePicture(padded, 'image/jpeg')).cost).toBeCloseTo((info.size + 3_000_000) / 1_000_000, 6);
});

test('an image in a format other than declared is rejected, because costs differ', async () => {
  const avif = await flat(100, 100).avif().toBuffer();
  await expect(measurePicture(avif, 'image/jpeg')).rejects.toMatchObject({ code: 'file_not_image' });
});

test('anything but an image is rejected', async () => {
  await expect(measurePicture(Buffer.from('<svg/>'), undefined)).rejects.toMatchObject({ code: 'file_not_image' });
});
