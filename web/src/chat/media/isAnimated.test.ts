import { removePictureMetadata } from './cleaning/removePictureMetadata.ts';
import { isAnimated } from './isAnimated.ts';

const chunk = (type: string, body: number[]) => [0, 0, 0, body.length, ...Buffer.from(type), ...body, 1, 2, 3, 4];
const png = (...chunks: number[][]) => Uint8Array.from([0x89, ...Buffer.from('PNG\r\n\x1a\n'), ...chunks.flat()]);
const frames = (count: number) => chunk('acTL', [0, 0, 0, count, 0, 0, 0, 0]);
const [header, picture, end] = [chunk('IHDR', [1]), chunk('IDAT', [3]), chunk('IEND', [])];

test('a PNG with several frames is animated, and keeps them when its metadata is removed', () => {
  const moving = png(header, chunk('tEXt', [1]), frames(2), chunk('fcTL', [1]), picture, chunk('fdAT', [2]), end);
  expect(isAnimated(moving, 'image/png')).toBe(true);
  const clean = Buffer.from(removePictureMetadata(moving) ?? []);
  for (const type of ['acTL', 'fcTL', 'fdAT']) expect(clean.includes(type)).toBe(true);
  expect(clean.includes('tEXt')).toBe(false);
});

test('a PNG with one frame, or a truncated one, is not animated', () => {
  expect(isAnimated(png(header, frames(1), picture, end), 'image/png')).toBe(false);
  expect(isAnimated(png(header, picture, frames(2), end), 'image/png')).toBe(false);
  expect(isAnimated(png(header), 'image/png')).toBe(false);
  expect(isAnimated(Uint8Array.from([1, 2]), 'image/png')).toBe(false);
});

test('an AVIF with several pictures is recognized by its brand', () => {
  const avif = (brand: string) => Uint8Array.from([0, 0, 0, 32, ...Buffer.from(`ftyp${brand}`)]);
  expect(isAnimated(avif('avis'), 'image/avif')).toBe(true);
  expect(isAnimated(avif('avif'), 'image/avif')).toBe(false);
});
