import type { UserId } from '@nolo/kit/ids';
import { createFakeClock } from '@nolo/testing';
import { transcriptionFailed } from '../errors.ts';
import type { SecondsClaim, TranscriptionEngine, VoiceRecording, UsageStore } from './ports.ts';
import { requireMinutesLeft, transcribe, type TranscribeOptions } from './transcribe.ts';

const ann = 'a0000000-0000-4000-8000-000000000001' as UserId;
const never = new AbortController().signal;

/** Stores usage in memory with the guarantees of the real store, for a single person. */
function memoryUsage(): UsageStore & { claims: SecondsClaim[]; seconds: number } {
  return {
    claims: [],
    seconds: 0,
    claim(claim, { limitSeconds, maxConcurrent }) {
      if (this.claims.length >= maxConcurrent) return Promise.resolve({ kind: 'too_many' });
      const usedSeconds = this.seconds + this.claims.reduce((sum, { seconds }) => sum + seconds, 0);
      if (usedSeconds + claim.seconds > limitSeconds) return Promise.resolve({ kind: 'used_up', usedSeconds });
      this.claims.push(claim);
      return Promise.resolve({ kind: 'claimed' });
    },
    settle(id, seconds) {
      if (this.claims.some((claim) => claim.id === id)) this.seconds += seconds;
      return this.release(id);
    },
    release(id) {
      this.claims = this.claims.filter((claim) => claim.id !== id);
      return Promise.resolve();
    },
    used() {
      return Promise.resolve(this.seconds);
    },
    forget: () => Promise.resolve(),
    sweep: () => Promise.resolve(0),
  };
}

const recording = (seconds: number): VoiceRecording => ({ bytes: new Uint8Array(10), format: 'ogg', seconds });

function setUp(recognise: TranscriptionEngine['transcribe'], more: Partial<TranscribeOptions> = {}) {
  const usage = memoryUsage();
  const uncounted: unknown[] = [];
  const options: TranscribeOptions = {
    usage,
    engine: { transcribe: recognise, waiting: 0, stop: () => Promise.resolve() },
    meter: { reserve: () => Promise.resolve({ kind: 'reserved' }) },
    allowedOf: () => Promise.resolve({ seconds: 1_800, month: '2026-11' }),
    clock: createFakeClock(),
    workMs: 10_000,
    onUncounted: (error) => void uncounted.push(error),
    ...more,
  };
  return { usage, uncounted, options };
}

const words = () => Promise.resolve({ text: ' Hello \n' });

test('text is tidied, and its seconds are counted once it is there', async () => {
  const { usage, options } = setUp(() => {
    expect(usage.claims).toMatchObject([{ userId: ann, month: '2026-11', seconds: 13 }]);
    expect(usage.seconds).toBe(0);
    return words();
  });
  await expect(transcribe(options, ann, recording(12.8), never)).resolves.toEqual({ text: 'Hello', seconds: 13 });
  expect([usage.claims, usage.seconds]).toEqual([[], 13]);
});

test('the duration measured by the engine counts if the container reported less', async () => {
  const { usage, options } = setUp(() => Promise.resolve({ text: 'x', seconds: 300 }));
  await transcribe(options, ann, recording(1), never);
  expect(usage.seconds).toBe(300);
});

test('a failure is not counted', async () => {
  const { usage, options } = setUp(() => Promise.reject(transcriptionFailed('no reason')));
  await expect(transcribe(options, ann, recording(5), never)).rejects.toMatchObject({ code: 'transcription_failed' });
  expect([usage.claims, usage.seconds]).toEqual([[], 0]);
});

test('transcription times out, and a caller who cancels ends the work', async () => {
  const silent: TranscriptionEngine['transcribe'] = (_userId, _recording, signal) =>
    new Promise((_resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const { usage, options } = setUp(silent, { workMs: 20 });
  await expect(transcribe(options, ann, recording(5), never)).rejects.toMatchObject({
    code: 'transcription_failed',
    reason: 'no words within 20 ms',
  });
  const gone = new AbortController();
  const transcription = transcribe({ ...options, workMs: 10_000 }, ann, recording(5), gone.signal);
  gone.abort(new Error('gone'));
  await expect(transcription).rejects.toMatchObject({ code: 'cancelled' });
  expect(usage.claims).toEqual([]);
});

test('each month has the minutes of the plan, and the refusal states what raises the limit', async () => {
  const { usage, options } = setUp(words);
  usage.seconds = 29 * 60 + 30;
  const refused = transcribe(options, ann, recording(31), never);
  await expect(refused).rejects.toMatchObject({
    kind: 'plan_limited',
    code: 'transcription_limit',
    details: {
      feature: 'transcriptionSeconds',
      limit: 1_800,
      used: 29 * 60 + 30,
      liftedBy: ['plus', 'business'],
      addOn: 'transcription',
    },
  });
  await expect(transcribe(options, ann, recording(30), never)).resolves.toMatchObject({ seconds: 30 });
  await expect(requireMinutesLeft(options, ann)).rejects.toMatchObject({ code: 'transcription_limit' });
  const business = { ...options, allowedOf: () => Promise.resolve({ seconds: 72_000, month: '2026-11' }) };
  await expect(requireMinutesLeft(business, ann)).resolves.toBeUndefined();
  usage.seconds = 72_000;
  await expect(requireMinutesLeft(business, ann)).rejects.toMatchObject({
    details: { liftedBy: [], addOn: 'transcription' },
  });
});

test('a refusal of billing prevents transcription, and minutes are counted locally while billing is down', async () => {
  const full = { kind: 'full', limit: 1_800, used: 1_790 } as const;
  const refused = setUp(words, { meter: { reserve: () => Promise.resolve(full) } });
  await expect(transcribe(refused.options, ann, recording(20), never)).rejects.toMatchObject({
    code: 'transcription_limit',
    details: { limit: 1_800, used: 1_790 },
  });
  expect([refused.usage.claims, refused.usage.seconds]).toEqual([[], 0]);
  const away = setUp(words, { meter: { reserve: () => Promise.resolve({ kind: 'unknown' }) } });
  await transcribe(away.options, ann, recording(20), never);
  expect(away.usage.seconds).toBe(20);
});

test('a voice note has at most ten minutes, and three are transcribed at a time', async () => {
  const { options } = setUp(words);
  await expect(transcribe(options, ann, recording(603), never)).rejects.toMatchObject({ code: 'audio_too_long' });
  const gate = Promise.withResolvers<{ text: string }>();
  const waiting = { ...options, engine: { ...options.engine, transcribe: () => gate.promise } };
  const three = [1, 2, 3].map(() => transcribe(waiting, ann, recording(1), never));
  await expect(transcribe(waiting, ann, recording(1), never)).rejects.toMatchObject({ code: 'transcription_busy' });
  gate.resolve({ text: 'x' });
  await Promise.all(three);
});

test('a finished text is returned even if it could not be counted', async () => {
  const { usage, uncounted, options } = setUp(words);
  usage.settle = () => Promise.reject(new Error('the database is away'));
  await expect(transcribe(options, ann, recording(5), never)).resolves.toMatchObject({ text: 'Hello' });
  expect(uncounted).toHaveLength(1);
});
