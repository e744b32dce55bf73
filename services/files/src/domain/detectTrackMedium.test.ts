import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectTrackMedium } from './detectTrackMedium.ts';

const fixtures = join(import.meta.dirname, '../../tests/fixtures');

/** Simulates a stored file whose beginning has been read up to `headBytes`. */
function stored(bytes: Buffer, headBytes = 65_536) {
  const read = { bytes: 0 };
  return {
    read,
    media: {
      head: bytes.subarray(0, headBytes),
      size: bytes.length,
      read: (start: number, end: number) => {
        read.bytes += end - start;
        return Promise.resolve(bytes.subarray(start, end));
      },
    },
  };
}

// Files made by ffmpeg; the first is in the format of browser recordings, without sizes.
test.each([
  ['soundRecorded.webm', 'audio'],
  ['sound.mp4', 'audio'],
  ['sound.mov', 'audio'],
  ['sound.ogg', 'audio'],
  ['film.webm', 'video'],
  ['film.mp4', 'video'],
])('the tracks of %s are %s, wherever they are in the file', async (name, medium) => {
  const bytes = await readFile(join(fixtures, name));
  expect(await detectTrackMedium(stored(bytes).media)).toBe(medium);
  expect(await detectTrackMedium(stored(bytes, 64).media)).toBe(medium);
});

test('a truncated file has no known tracks, however it would have ended', async () => {
  const bytes = await readFile(join(fixtures, 'sound.mp4'));
  expect(await detectTrackMedium(stored(bytes.subarray(0, 200)).media)).toBeUndefined();
  expect(await detectTrackMedium(stored(Buffer.from('Hello, I am text.')).media)).toBeUndefined();
});

test('bytes crafted to keep a reader busy are given up soon', async () => {
  const head = Buffer.from('00000018667479704d344120000000006d7034326d703431', 'hex');
  const emptyBoxes = Buffer.alloc(25_000_000 - head.length, '0000000866726565', 'hex');
  const { media, read } = stored(Buffer.concat([head, emptyBoxes]));
  expect(await detectTrackMedium(media)).toBeUndefined();
  expect(read.bytes).toBeLessThan(100_000);
});
