import type { UserId } from '@nolo/kit/ids';
import { createWebm } from '../../tests/webm.ts';
import { encodeWav } from '../worker/wav.ts';
import { createAudioExaminer } from './examineAudio.ts';
import { measureWebm } from './measureWebm.ts';

const mp4Head = '00000018667479704d344120000000006d7034326d703431';

function repeated(head: string, pattern: string, size: number): Buffer {
  const start = Buffer.from(head, 'hex');
  return Buffer.concat([start, Buffer.alloc(size - start.length, pattern, 'hex')]);
}

const speakerId = '00000000-0000-4000-8000-000000000001' as UserId;
const examiner = createAudioExaminer();
const examine = (bytes: Uint8Array) => examiner.examine(speakerId, bytes);
const wav = (seconds: number, rate = 8_000) => encodeWav({ samples: new Float32Array(seconds * rate), rate });

test('a WAV file is recognised by its bytes, along with its duration', async () => {
  const bytes = wav(2.5);
  await expect(examine(bytes)).resolves.toEqual({ bytes, format: 'wav', seconds: 2.5 });
});

test.each([0.5, 3, 61, 650])(
  'a browser recording of %d s reveals its duration through its blocks alone',
  async (seconds) => {
    const bytes = createWebm({ seconds });
    expect(Math.abs(measureWebm(bytes).seconds - seconds)).toBeLessThan(0.1);
    const recording = await examine(bytes);
    expect(recording.format).toBe('webm');
    expect(Math.abs(recording.seconds - seconds)).toBeLessThan(0.1);
  },
);

test('a truncated recording has the duration of what is there', () => {
  const bytes = createWebm({ seconds: 20 });
  const half = measureWebm(bytes.subarray(0, bytes.length / 2)).seconds;
  expect(half).toBeGreaterThan(8);
  expect(half).toBeLessThan(12);
});

test.each<[string, Uint8Array]>([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('Hello, I am no sound at all.'.repeat(10))],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')],
  ['a film', createWebm({ seconds: 2, trackType: 1 })],
  ['a WebM file without sound', createWebm({ seconds: 0 })],
  ['an empty WAV file', wav(0)],
  ['the start of an Ogg file', Buffer.from('OggS\0\x02' + '\0'.repeat(100))],
])('%s is rejected', async (_what, bytes) => {
  await expect(examine(bytes)).rejects.toMatchObject({ kind: 'invalid', code: 'audio_not_recognised' });
});

test('parsing ends, whatever the bytes', () => {
  const bytes = createWebm({ seconds: 5 });
  for (let at = 0; at < bytes.length; at += 7) {
    const damaged = Buffer.from(bytes);
    damaged[at] = 0xff - (damaged[at] ?? 0);
    expect(measureWebm(damaged).seconds).toEqual(expect.any(Number));
  }
});

test.each<[string, Buffer]>([
  // Each occupies a music parser for about twenty seconds.
  ['an MP4 file of nothing but empty boxes', repeated(mp4Head, '0000000866726565', 25_000_000)],
  ['a FLAC file of nothing but empty blocks', repeated('664c6143', '01000000', 25_000_000)],
])('%s is abandoned, and others are served meanwhile', async (_what, bytes) => {
  const impatient = createAudioExaminer({ measureMs: 1_000 });
  let ticks = 0;
  const clock = setInterval(() => (ticks += 1), 20);
  const refused = impatient.examine(speakerId, bytes);
  await expect(refused).rejects.toMatchObject({ code: 'transcription_failed', reason: 'not measured within 1000 ms' });
  clearInterval(clock);
  expect(ticks).toBeGreaterThan(10);
});
