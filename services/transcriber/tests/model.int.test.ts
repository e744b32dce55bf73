import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTranscriber, type TestTranscriber } from './startTranscriber.ts';

/** Tests sherpa-onnx with a small model that recognizes a few words of a synthesized voice. */

const { NOLO_TEST_ESPEAK: espeak = '', NOLO_TEST_FFMPEG: ffmpeg = '' } = process.env;
const model = fileURLToPath(new URL('./sherpa-onnx-zipformer-ctc-words', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nolo-model-test-'));
const quietly = ['-loglevel', 'error', '-y'];
const sentence = 'see you at the station tomorrow morning';
let transcriber: TestTranscriber;

function synthesize(words: string, name: string): string {
  const path = join(folder, name);
  execFileSync(espeak, ['-v', 'en-us', '-s', '130', '-w', path, words]);
  return path;
}

beforeAll(async () => {
  if (espeak === '') throw new Error('npm test brings eSpeak NG and FFmpeg, and said why it could not.');
  transcriber = await startTranscriber({ env: { TRANSCRIBE_MODEL_DIR: model, TRANSCRIBE_FFMPEG: ffmpeg } });
});
afterAll(async () => {
  await transcriber.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a model transcribes the words of each speaker', async () => {
  const ann = transcriber.speaker();
  await expect(transcriber.transcribe(ann, readFileSync(synthesize(sentence, 'ann.wav')))).resolves.toBe(sentence);
  const ben = transcriber.speaker();
  const other = 'please call me at home on monday';
  await expect(transcriber.transcribe(ben, readFileSync(synthesize(other, 'ben.wav')))).resolves.toBe(other);
  expect(await transcriber.used(ann)).toBeGreaterThan(1);
});

test('a model transcribes what a browser recorded', async () => {
  const file = join(folder, 'recorded.webm');
  const live = ['-c:a', 'libopus', '-live', '1', '-cluster_time_limit', '100'];
  execFileSync(ffmpeg, [...quietly, '-i', synthesize(sentence, 'spoken.wav'), ...live, file]);
  await expect(transcriber.transcribe(transcriber.speaker(), readFileSync(file))).resolves.toBe(sentence);
});

test('a long voice note is cut between words, and none is lost', async () => {
  // Longer than a minute: a model limited to half a minute would drop the rest.
  const times = 25;
  const [paused, file] = [join(folder, 'paused.wav'), join(folder, 'long.wav')];
  execFileSync(ffmpeg, [...quietly, '-i', synthesize(sentence, 'one.wav'), '-af', 'apad=pad_dur=0.5', paused]);
  execFileSync(ffmpeg, [...quietly, '-stream_loop', String(times - 1), '-i', paused, file]);
  const ann = transcriber.speaker();
  const transcript = await transcriber.transcribe(ann, readFileSync(file));
  expect(transcript).toBe(Array.from({ length: times }, () => sentence).join(' '));
  expect(await transcriber.used(ann)).toBeGreaterThan(60);
});

test('silence yields no words', async () => {
  const file = join(folder, 'silence.wav');
  execFileSync(ffmpeg, [...quietly, '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '2', file]);
  await expect(transcriber.transcribe(transcriber.speaker(), readFileSync(file))).resolves.toBe('');
});
