import {
  big,
  box,
  bytesOf,
  fileOf,
  handler,
  join,
  list,
  little,
  riff,
  riffChunk,
  text,
  versioned,
  zeros,
} from '../../../testing/placed/bytes.ts';
import type { Bytes } from '../../../testing/placed/bytes.ts';
import { cleanFile } from './cleanFile.ts';

/* Files that broke off, were damaged, or were built to harm. */

const many = (length: number, value: number): Bytes => Array.from({ length }, () => value);

/** Whether people are asked about a file. No byte of it may have become another. */
async function isAskedAbout(bytes: Bytes): Promise<boolean> {
  const { file, mayTellPlace } = await cleanFile(fileOf(bytes, 'Hill'));
  expect(Buffer.compare(Buffer.from(await bytesOf(file)), Buffer.from(bytes))).toBe(0);
  return mayTellPlace;
}

describe('WAV and AVI keep their media', () => {
  const format = riffChunk('fmt ', join(little(1, 2), little(1, 2), zeros(12)));
  const sound = Array.from({ length: 4_000 }, (_, at) => (at * 37) & 255);
  const wav = (riffSize: number, dataSize: number, after: Bytes = []): Bytes =>
    join(text('RIFF'), little(riffSize), text('WAVE'), format, text('data'), little(dataSize), sound, after);
  const frames = riffChunk('00dc', many(1_000, 9));
  const heads = list('hdrl', riffChunk('avih', zeros(8)));
  const avi = (riffSize: number, moviSize: number): Bytes =>
    join(text('RIFF'), little(riffSize), text('AVI '), heads, text('LIST'), little(moviSize), text('movi'), frames);
  const whole = avi(0, 0).length - 8;

  test.each([
    ['a finished WAV', wav(4_036, 4_000)],
    ['a WAV from a pipe', wav(0, 0)],
    ['a WAV from a pipe, with the largest sizes', wav(0xffff_ffff, 0xffff_ffff)],
    ['a WAV that broke off', wav(36, 0)],
    ['a WAV whose file has no size', wav(0, 4_000)],
    ['a WAV whose data are longer than it', wav(4_036, 9_000)],
    ['an RF64 without its sizes', join(text('RF64'), wav(0xffff_ffff, 0xffff_ffff).slice(4))],
    ['an AVI without sizes', avi(0, 0)],
    ['an AVI whose film has no size', avi(whole, 0)],
    ['an AVI whose film has only its name', avi(whole, 4)],
  ])('%s is sent as it is', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(false));

  test.each([
    ['an AVI that is longer than it says', avi(whole - 500, frames.length + 4)],
    ['a WAV with something unknown behind its data', wav(4_036, 2_000)],
    [
      'a WAV with a note where its data would be',
      wav(0, 0)
        .slice(0, 44)
        .concat(riffChunk('bext', text('Hill'))),
    ],
    ['a WAV without data', join(text('RIFF'), little(100), text('WAVE'), riffChunk('ABCD', sound))],
  ])('people are asked about %s', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(true));

  test('an RF64 ends where its sizes say, and loses the notes behind', async () => {
    const sizes = riffChunk('ds64', join(little(0, 8), little(8, 8), zeros(12)));
    const data = join(text('data'), little(0xffff_ffff), many(8, 5));
    const head = join(text('RF64'), little(0xffff_ffff), text('WAVE'), sizes, format, data);
    const { file, mayTellPlace } = await cleanFile(fileOf(join(head, riffChunk('bext', text('Signal Hill '))), 'x'));
    const clean = Buffer.from(await bytesOf(file));
    expect([mayTellPlace, clean.includes('Signal'), clean.subarray(0, head.length).equals(Buffer.from(head))]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
