import { toPictureDisplaySize } from './mediaDisplaySize.ts';

test('a picture has its space before it is loaded, whatever its dimensions', () => {
  expect(toPictureDisplaySize({ width: 4_000, height: 3_000 })).toEqual({ width: 340, height: 255 });
  expect(toPictureDisplaySize({ width: 3_000, height: 9_000 })).toEqual({ width: 140, height: 380 });
  expect(toPictureDisplaySize({ width: 9_000, height: 300 })).toEqual({ width: 340, height: 100 });
  expect(toPictureDisplaySize({})).toEqual({ width: 240, height: 240 });
});
