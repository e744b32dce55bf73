import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '@nolo/testing';
import { encodeWav } from '../src/worker/wav.ts';
import {
  expectRpcError,
  startTranscriber,
  type TestTranscriber,
  type TestTranscriberOptions,
} from './startTranscriber.ts';
import { createWebm } from './webm.ts';

/** Tests local programs in processes of their own. */

/** Asynchronous on purpose: connections look dead while the event loop is blocked. */
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'nolo-transcriber-test-'));
const before = new Set(readdirSync(tmpdir()));
const started: TestTranscriber[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(options: TestTranscriberOptions): Promise<TestTranscriber> {
  const transcriber = await startTranscriber(options);
  started.push(transcriber);
  return transcriber;
}

const wav = (seconds = 1) => encodeWav({ samples: new Float32Array(seconds * 8_000), rate: 8_000 });

/** Creates a test program. Scripts can write their process ids to a file next to the program. */
function program(name: string, lines: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

const hanging = (name: string) =>
  program(name, 'sleep 600 &\necho $! >>"$0.pids"\necho $$ >>"$0.pids"\necho "$1" >"$0.file"\nwait');

async function pidsOf(path: string, count = 2): Promise<number[]> {
  return await eventually(() => {
    const pids = readFileSync(`${path}.pids`, 'utf8').trim().split('\n').map(Number);
    return pids.length >= count && existsSync(`${path}.file`) ? pids : undefined;
  });
}

/** Returns false for zombies too: an ended process that nobody has reaped does nothing. */
function lives(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Lists new voice-note folders of this process. Other processes may be working on this machine. */
const leftFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`nolo-voice-${process.pid}-`) && !before.has(name));

const nothingLeft = async (pids: readonly number[] = []) => {
  await eventually(() => !pids.some(lives));
  await eventually(() => leftFolders().length === 0);
};

describe('a real recogniser', () => {
  const {
    NOLO_TEST_ESPEAK: espeak = '',
    NOLO_TEST_POCKETSPHINX: sphinx = '',
    NOLO_TEST_FFMPEG: ffmpeg = '',
  } = process.env;
  // Synthesized speech is hard to recognize, so the grammar lists 27 sentences to choose from.
  const grammar = `#JSGF V1.0;
grammar notes;
public <note> = <who> <where> <when>;
<who> = please call me | see you | i will wait;
<where> = at home | at the station | in the office;
<when> = at seven | tomorrow morning | on monday;
`;
  const sentence = 'see you at the station tomorrow morning';
  const spoken = join(folder, 'spoken.wav');
  let transcriber: TestTranscriber;

  const synthesize = (words: string, path: string) => run(espeak, ['-v', 'en-us', '-s', '130', '-w', path, words]);

  beforeAll(async () => {
    if (espeak === '')
      throw new Error('npm test brings eSpeak NG, PocketSphinx and FFmpeg, and said why it could not.');
    await synthesize(sentence, spoken);
    writeFileSync(join(folder, 'notes.jsgf'), grammar);
  });
  beforeEach(async () => {
    const command = `${sphinx} -logfn /dev/null -jsgf "${join(folder, 'notes.jsgf')}" -infile {file}`;
    transcriber = await start({ env: { TRANSCRIBE_COMMAND: command, TRANSCRIBE_FFMPEG: ffmpeg } });
  });

  test('transcribes the words of each recording', async () => {
    const ann = transcriber.speaker();
    await expect(transcriber.transcribe(ann, readFileSync(spoken))).resolves.toBe(sentence);
    const other = join(folder, 'other.wav');
    await synthesize('please call me at home on monday', other);
    await expect(transcriber.transcribe(ann, readFileSync(other))).resolves.toBe('please call me at home on monday');
    expect(await transcriber.used(ann)).toBeGreaterThan(3);
    await nothingLeft();
  });

  test.each([
    ['webm', ['-c:a', 'libopus']],
    // Browser recording: no sizes, no duration, and few frames per cluster.
    ['live.webm', ['-c:a', 'libopus', '-live', '1', '-cluster_time_limit', '100']],
    ['ogg', ['-c:a', 'libopus']],
    ['m4a', ['-c:a', 'aac', '-movflags', '+frag_keyframe+empty_moov']],
    ['mp3', ['-c:a', 'libmp3lame']],
    ['flac', []],
  ])('transcribes a file of %s too', async (extension, codec) => {
    const file = join(folder, `spoken.${extension}`);
    await run(ffmpeg, ['-loglevel', 'error', '-y', '-i', spoken, ...codec, file]);
    const ann = transcriber.speaker();
    await expect(transcriber.transcribe(ann, readFileSync(file))).resolves.toBe(sentence);
    expect(await transcriber.used(ann)).toBeGreaterThanOrEqual(2);
    await nothingLeft();
  });

  test('is not asked about bytes that only pretend to be audio', async () => {
    const broken = readFileSync(spoken).subarray(0, 30);
    expect(await expectRpcError(transcriber.transcribe(transcriber.speaker(), broken))).toMatchObject({
      code: 'audio_not_recognised',
    });
    // A voice note whose rest is garbage contains no speech, so the transcript is empty.
    const rubbish = Buffer.concat([createWebm({ seconds: 2 }).subarray(0, 200), Buffer.alloc(5_000, 'words')]);
    await expect(transcriber.transcribe(transcriber.speaker(), rubbish)).resolves.toBe('');
    await nothingLeft();
  });
});

describe('a program', () => {
  test('receives a file that only it can read, no secrets, and a temporary folder', async () => {
    const path = program('curious', 'stat -c %a "$1"\nenv | cut -d= -f1 | sort | tr "\\n" " "\npwd');
    const transcriber = await start({ env: { TRANSCRIBE_COMMAND: path } });
    const words = await transcriber.transcribe(transcriber.speaker(), wav());
    expect(words).toMatch(/^600 /);
    expect(words).not.toMatch(/SECRET|URL|ADDR|DATABASE/);
    expect(words).toMatch(/nolo-voice-/);
    await nothingLeft();
  });

  // A timeout aborts the job by the same signal (`transcribe.test.ts`).
  test('ends with everything it started when the caller cancels', async () => {
    const path = hanging('waiting');
    const transcriber = await start({ env: { TRANSCRIBE_COMMAND: path } });
    const gone = new AbortController();
    const ann = transcriber.speaker();
    const transcription = transcriber.transcribe(ann, wav(5), gone.signal);
    const pids = await pidsOf(path);
    expect(pids.every(lives)).toBe(true);
    gone.abort();
    await expect(transcription).rejects.toThrow();
    await nothingLeft(pids);
    expect(await transcriber.used(ann)).toBe(0);
  });

  test('ends with the service', async () => {
    const path = hanging('stopping');
    const transcriber = await start({ env: { TRANSCRIBE_COMMAND: path } });
    const transcription = expectRpcError(transcriber.transcribe(transcriber.speaker(), wav()));
    const pids = await pidsOf(path);
    await transcriber.stopApp();
    expect((await transcription).kind).toBe('unavailable');
    await nothingLeft(pids);
  });

  test('ends with a service that is killed', async () => {
    const path = hanging('orphaned');
    const file = join(folder, 'voice.wav');
    writeFileSync(file, wav());
    const host = fileURLToPath(new URL('./engineProcess.ts', import.meta.url));
    const service = spawn(process.execPath, [host, path, file], { stdio: 'ignore' });
    const pids = await pidsOf(path);
    const voice = readFileSync(`${path}.file`, 'utf8').trim();
    expect(existsSync(voice)).toBe(true);
    service.kill('SIGKILL');
    await once(service, 'exit');
    await nothingLeft(pids);
    expect(existsSync(voice)).toBe(false);
  });

  test('fails if it is killed with its worker, and the next voice note gets another worker', async () => {
    const path = program('killing', 'if mkdir "$0.once" 2>/dev/null; then kill -9 $PPID; sleep 600; fi\necho again');
    const transcriber = await start({ env: { TRANSCRIBE_COMMAND: path } });
    const ann = transcriber.speaker();
    expect(await expectRpcError(transcriber.transcribe(ann, wav()))).toMatchObject({ code: 'transcription_failed' });
    await expect(transcriber.transcribe(ann, wav())).resolves.toBe('again');
    await nothingLeft();
  });

  test.each([
    ['fails', 'echo half of the words; exit 3'],
    ['never stops writing', 'yes words'],
  ])('is reported as a failure if it %s', async (name, lines) => {
    const transcriber = await start({ env: { TRANSCRIBE_COMMAND: program(name.replaceAll(' ', '-'), lines) } });
    const refused = await expectRpcError(transcriber.transcribe(transcriber.speaker(), wav()));
    expect(refused).toMatchObject({ kind: 'unavailable', code: 'transcription_failed' });
    await nothingLeft();
  });

  test('has its output taken literally, without characters that messages must not contain', async () => {
    const path = program('babbling', String.raw`printf '\033[31mred\000\001 and\r\n\377\376 \342\202\n'`);
    const transcriber = await start({ env: { TRANSCRIBE_COMMAND: path } });
    const words = await transcriber.transcribe(transcriber.speaker(), wav());
    expect(words).toMatch(/^\[31mred and [\ufffd ]+$/);
  });

  test('keeps the spoken text out of the log, whether it succeeds or fails', async () => {
    const spokenText = 'the password is swordfish';
    const lines: string[] = [];
    const fine = await start({
      env: { TRANSCRIBE_COMMAND: program('telling', `echo ${spokenText}; echo ${spokenText} >&2`) },
      lines,
    });
    await expect(fine.transcribe(fine.speaker(), wav())).resolves.toBe(spokenText);
    const path = program('blurting', `echo ${spokenText}; echo ${spokenText} >&2; exit 1`);
    const failing = await start({ env: { TRANSCRIBE_COMMAND: path }, lines });
    expect(await expectRpcError(failing.transcribe(failing.speaker(), wav()))).toMatchObject({
      code: 'transcription_failed',
    });
    expect(lines.join('')).toMatch(/blurting exited with status 1/);
    expect(lines.join('')).not.toContain('swordfish');
  });

  test('is reported as a failure if it is missing', async () => {
    const transcriber = await start({ env: { TRANSCRIBE_COMMAND: join(folder, 'nowhere') } });
    expect(await expectRpcError(transcriber.transcribe(transcriber.speaker(), wav()))).toMatchObject({
      code: 'transcription_failed',
    });
  });

  test('gets only WAV without ffmpeg', async () => {
    const transcriber = await start({ env: { TRANSCRIBE_COMMAND: program('echoing', 'echo words'), PATH: folder } });
    await expect(transcriber.transcribe(transcriber.speaker(), wav())).resolves.toBe('words');
    const refused = await expectRpcError(transcriber.transcribe(transcriber.speaker(), createWebm({ seconds: 2 })));
    expect(refused).toMatchObject({ code: 'transcription_failed' });
  });
});

describe('a model', () => {
  test.each([
    ['that is missing', undefined, /cannot be read \(ENOENT\)/],
    ['of an unknown kind', [], /contains no known model/],
    ['without its tokens', ['model.onnx'], /contains no known model/],
  ])('%s is reported when the service starts', async (name, files, sentence) => {
    const place = join(folder, name.replaceAll(' ', '-'));
    if (files) mkdirSync(place);
    for (const file of files ?? []) writeFileSync(join(place, file), 'no model');
    await expect(start({ env: { TRANSCRIBE_MODEL_DIR: place } })).rejects.toThrow(sentence);
  });

  test.each([
    ['broken', 'sherpa-onnx-nemo-ctc', ['model.onnx', 'tokens.txt']],
    ['broken', 'sherpa-onnx-whisper-tiny', ['tiny-encoder.onnx', 'tiny-decoder.onnx', 'tiny-tokens.txt']],
  ])(
    'is a failure with its reason in the log if it is %s (%s), and the service keeps running',
    async (_, name, files) => {
      const place = join(folder, name);
      mkdirSync(place);
      for (const file of files) writeFileSync(join(place, file), 'no model');
      const lines: string[] = [];
      const transcriber = await start({ env: { TRANSCRIBE_MODEL_DIR: place }, lines });
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const refused = await expectRpcError(transcriber.transcribe(transcriber.speaker(), wav()));
        expect(refused).toMatchObject({ kind: 'unavailable', code: 'transcription_failed' });
        expect(JSON.stringify(refused)).not.toContain(place);
      }
      expect(lines.join('')).toMatch(/while loading|onnx/i);
      await nothingLeft();
    },
  );
});
