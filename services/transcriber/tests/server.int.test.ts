import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDb } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { encodeWav } from '../src/worker/wav.ts';
import { messagesFor, expectRpcError, startTranscriber, type TestTranscriber } from './startTranscriber.ts';
import { createWebm } from './webm.ts';

/** Tests transcription through a server that implements OpenAI's protocol. */

let transcriber: TestTranscriber;

beforeAll(async () => {
  transcriber = await startTranscriber({ env: { TRANSCRIBE_PLAN: 'free' } });
});
afterAll(() => transcriber.stop());
afterEach(() => transcriber.prepare());

const wav = (seconds: number) => encodeWav({ samples: new Float32Array(seconds * 8_000), rate: 8_000 });
const refusal = (actorId: string, bytes: Uint8Array) => expectRpcError(transcriber.transcribe(actorId, bytes));

describe('a voice note', () => {
  test('becomes text, and counts by its duration', async () => {
    const ann = transcriber.speaker();
    await transcriber.prepare({ text: '  Meet me\nat five. ' });
    await expect(transcriber.transcribe(ann, createWebm({ seconds: 12 }))).resolves.toBe('Meet me at five.');
    expect(await transcriber.used(ann)).toBe(12);
    expect((await transcriber.recordedRequests()).at(-1)).toMatchObject({
      model: 'whisper-1',
      responseFormat: 'json',
      fileName: 'voice.webm',
      contentType: 'audio/webm',
    });
    await transcriber.prepare({ text: 'More.', seconds: 40 });
    await transcriber.transcribe(ann, wav(2));
    expect(await transcriber.used(ann)).toBe(52);
    expect((await transcriber.recordedRequests()).at(-1)).toMatchObject({
      fileName: 'voice.wav',
      bytes: wav(2).length,
    });
  });

  test('has no words if nobody spoke', async () => {
    await transcriber.prepare({ text: '' });
    await expect(transcriber.transcribe(transcriber.speaker(), wav(1))).resolves.toBe('');
  });

  test('is transcribed only for those who switched it on', async () => {
    const ben = randomUUID();
    transcriber.consents.set(ben, false);
    expect(await refusal(ben, wav(1))).toMatchObject({ kind: 'forbidden', code: 'transcription_off' });
    expect(await refusal(randomUUID(), wav(1))).toMatchObject({ code: 'user_not_found' });
    expect(await refusal('nobody', wav(1))).toMatchObject({ code: 'actor_invalid' });
    transcriber.consents.set(ben, true);
    await expect(transcriber.transcribe(ben, wav(1))).resolves.not.toBe('');
  });

  test.each<[string, () => Uint8Array, object]>([
    ['is not audio', () => Buffer.from('words are no sound'), { kind: 'invalid', code: 'audio_not_recognised' }],
    ['is empty', () => Buffer.alloc(0), { kind: 'invalid', code: 'audio_not_recognised' }],
    ['is a video', () => createWebm({ seconds: 1, trackType: 1 }), { kind: 'invalid', code: 'audio_not_recognised' }],
    ['is too long', () => createWebm({ seconds: 610 }), { kind: 'too_large', code: 'audio_too_long' }],
    [
      'is too large',
      () => Buffer.alloc(limits.transcriptionAudioBytes + 1),
      { kind: 'too_large', code: 'audio_too_large' },
    ],
  ])('that %s is rejected, and the server is not asked', async (_what, bytes, expected) => {
    const ann = transcriber.speaker();
    const before = (await transcriber.recordedRequests()).length;
    expect(await refusal(ann, bytes())).toMatchObject(expected);
    expect((await transcriber.recordedRequests()).length).toBe(before);
    expect(await transcriber.used(ann)).toBe(0);
  });

  test('is rejected if it is cut off or starts wrong', async () => {
    const { client } = transcriber;
    const ann = transcriber.speaker();
    const chunk = { part: { $case: 'chunk' as const, value: wav(1) } };
    const header = { part: { $case: 'header' as const, value: { actorId: ann } } };
    expect(await expectRpcError(client.transcribeVoice([chunk]))).toMatchObject({ code: 'invalid_request' });
    expect(await expectRpcError(client.transcribeVoice([]))).toMatchObject({ code: 'invalid_request' });
    expect(await expectRpcError(client.transcribeVoice([header, header]))).toMatchObject({ code: 'invalid_request' });
    const large = { part: { $case: 'chunk' as const, value: Buffer.alloc(300_000) } };
    expect(await expectRpcError(client.transcribeVoice([header, large]))).toMatchObject({ code: 'invalid_request' });
    async function* brokenOff() {
      yield* messagesFor(ann, wav(1));
      throw new Error('the line broke');
    }
    await expect(client.transcribeVoice(brokenOff())).rejects.toThrow();
    expect(await transcriber.used(ann)).toBe(0);
  });
});

describe('a failing server', () => {
  test('is asked again after a short failure, and nobody notices', async () => {
    await transcriber.prepare({ error: 'overloaded', retryAfterSeconds: 0 }, { cut: true }, { text: 'At last.' });
    await expect(transcriber.transcribe(transcriber.speaker(), wav(1))).resolves.toBe('At last.');
  });

  const repeatError = (error: string) => [1, 2, 3].map(() => ({ error, retryAfterSeconds: 0 }));
  test.each<[string, object[], string]>([
    ['always', repeatError('server_error'), 'transcription_failed'],
    ['with too many requests', repeatError('rate_limit_exceeded'), 'transcription_busy'],
    ['with an answer of somebody else', repeatError('not_json'), 'transcription_failed'],
    ['by disconnecting', [{ cut: true }, { cut: true }, { cut: true }], 'transcription_failed'],
    ['over the key', [{ error: 'invalid_api_key' }], 'transcription_failed'],
    ['over the model', [{ error: 'model_not_found' }], 'transcription_failed'],
    ['over money', [{ error: 'insufficient_quota' }], 'transcription_failed'],
    ['over the file', [{ error: 'invalid_file' }], 'transcription_failed'],
    [
      'and asks to be waited for longer than anybody does',
      [{ error: 'overloaded', retryAfterSeconds: 60 }],
      'transcription_failed',
    ],
  ])('%s is reported as a failure, in our own words, and not counted', async (_how, answers, code) => {
    const ann = transcriber.speaker();
    await transcriber.prepare(...answers);
    const refused = await refusal(ann, wav(1));
    expect(refused).toMatchObject({ kind: 'unavailable', code });
    expect(JSON.stringify(refused)).not.toMatch(/openai|whisper|key/i);
    expect(await transcriber.used(ann)).toBe(0);
  });

  test('is reported if it returns anything but text', async () => {
    const replies = ['{"words":"none"}', '[]', 'x'.repeat(5_000_000)];
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end(replies.shift() ?? ''));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/audio/transcriptions`;
    const other = await startTranscriber({ env: { TRANSCRIBE_URL: url } });
    try {
      const ann = other.speaker();
      while (replies.length > 0) {
        expect(await expectRpcError(other.transcribe(ann, wav(1)))).toMatchObject({ code: 'transcription_failed' });
      }
    } finally {
      server.closeAllConnections();
      server.close();
      await other.stop();
    }
  });

  test('is reported if it rejects the key, which is not revealed', async () => {
    const other = await startTranscriber({ env: { TRANSCRIBE_API_KEY: 'wrong-key-of-the-tests' } });
    try {
      expect(await expectRpcError(other.transcribe(other.speaker(), wav(1)))).toMatchObject({
        code: 'transcription_failed',
      });
    } finally {
      await other.stop();
    }
  });
});

describe('a server that does not respond', () => {
  const createVoiceNote = (seconds: number) => createWebm({ seconds });
  let narrow: TestTranscriber;
  beforeAll(async () => {
    narrow = await startTranscriber({ env: { TRANSCRIBE_CONCURRENCY: '1' } });
  });
  afterAll(() => narrow.stop());

  // A timeout ends the work by the same signal (`transcribe.test.ts`).
  test('stops working for a caller who hung up, which is not counted', async () => {
    const ann = narrow.speaker();
    await narrow.prepare({ delayMs: 60_000 });
    const gone = new AbortController();
    const before = (await narrow.recordedRequests()).length;
    const transcription = narrow.transcribe(ann, createVoiceNote(1), gone.signal);
    await eventually(async () => (await narrow.recordedRequests()).length > before);
    gone.abort();
    await expect(transcription).rejects.toThrow();
    await expect(narrow.transcribe(ann, createVoiceNote(3))).resolves.not.toBe('');
    expect(await narrow.used(ann)).toBe(3);
  });

  test('keeps one request waiting, and the third is rejected', async () => {
    const gone = new AbortController();
    const transcribeOrRefuse = () =>
      expectRpcError(narrow.transcribe(narrow.speaker(), createVoiceNote(1), gone.signal));
    await narrow.prepare({ delayMs: 60_000 }, { delayMs: 60_000 });
    const before = (await narrow.recordedRequests()).length;
    const first = transcribeOrRefuse();
    await eventually(async () => (await narrow.recordedRequests()).length > before);
    const second = transcribeOrRefuse();
    await eventually(async () => /^nolo_transcriptions_waiting\S* 1$/m.test(await narrow.metrics()));
    expect(await transcribeOrRefuse()).toMatchObject({ kind: 'unavailable', code: 'transcription_busy' });
    gone.abort();
    await Promise.all([first, second]);
  });
});

describe('minutes', () => {
  test('are limited per month by the plan, and the refusal states what raises the limit', async () => {
    const ann = transcriber.speaker();
    transcriber.clock.set('2026-11-20T12:00:00Z');
    for (const seconds of [600, 600, 590]) await transcriber.transcribe(ann, createWebm({ seconds }));
    expect(await refusal(ann, wav(11))).toMatchObject({
      kind: 'plan_limited',
      code: 'transcription_limit',
      details: {
        feature: 'transcriptionSeconds',
        limit: 1_800,
        liftedBy: ['plus', 'business'],
        addOn: 'transcription',
      },
    });
    await transcriber.transcribe(ann, wav(10));
    expect(await transcriber.client.getUsage({ actorId: ann })).toEqual({
      month: '2026-11',
      usedSeconds: 1_800,
      limitSeconds: 1_800,
    });
    expect(await refusal(ann, wav(1))).toMatchObject({ code: 'transcription_limit' });
    transcriber.clock.set('2026-12-01T00:00:00Z');
    await transcriber.transcribe(ann, wav(5));
    expect(await transcriber.used(ann)).toBe(5);
  });

  test('are reserved while in use, so that two requests cannot both take the last ones', async () => {
    const ann = transcriber.speaker();
    for (const seconds of [600, 600, 595]) await transcriber.transcribe(ann, createWebm({ seconds }));
    await transcriber.prepare({ delayMs: 300 }, { delayMs: 300 });
    const answers = await Promise.allSettled([1, 2].map(() => transcriber.transcribe(ann, wav(4))));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await transcriber.used(ann)).toBe(1_799);
  });

  test('left reserved by a crash become free again, and old ones are deleted', async () => {
    const ann = transcriber.speaker();
    const db = createDb({
      url: transcriber.environment.urls.transcriber,
      schema: 'transcriber',
      log: createLog({ service: 'test', level: 'silent' }),
    });
    try {
      const now = transcriber.clock.now();
      const claim = (ms: number) => ({
        id: randomUUID(),
        user_id: ann,
        month: now.toISOString().slice(0, 7),
        seconds: 1_790,
        expires_at: new Date(now.getTime() + ms),
      });
      await db('usage').insert({ user_id: ann, month: '2020-01', seconds: 60 });
      await db('claims').insert(claim(60_000));
      expect(await refusal(ann, wav(30))).toMatchObject({ code: 'transcription_limit' });
      transcriber.clock.advance(61_000);
      await expect(transcriber.transcribe(ann, wav(30))).resolves.not.toBe('');
      await eventually(async () => (await db('claims').where({ user_id: ann })).length === 0);
      await eventually(async () => (await db('usage').where({ user_id: ann, month: '2020-01' })).length === 0);
    } finally {
      await db.destroy();
    }
  });

  test('are deleted with the account', async () => {
    const ann = transcriber.speaker();
    await transcriber.transcribe(ann, wav(7));
    await transcriber.publishEvent('event.identity.user_deleted', { userId: ann });
    await eventually(async () => (await transcriber.used(ann)) === 0);
  });
});

test('voice notes are rate limited per person', async () => {
  const ann = transcriber.speaker();
  const codes = new Set<string>();
  for (let n = 0; n < 31; n += 1) {
    await transcriber.transcribe(ann, wav(1)).catch((error: { code: string }) => codes.add(error.code));
  }
  expect([...codes]).toEqual(['rate_limited']);
});

test('metrics count what happens and reveal no spoken words', async () => {
  const secret = createHash('sha256').update('secret').digest('hex');
  await transcriber.prepare({ text: secret });
  await transcriber.transcribe(transcriber.speaker(), wav(2));
  const metrics = await transcriber.metrics();
  expect(metrics).toMatch(/nolo_transcriptions_total\{outcome="transcribed"[^}]*\} \d+/);
  expect(metrics).toMatch(/nolo_transcriptions_total\{outcome="transcription_off"[^}]*\} 1/);
  expect(metrics).toMatch(/nolo_transcription_seconds_count/);
  expect(metrics).toMatch(/nolo_transcription_audio_seconds_total/);
  expect(metrics).not.toContain(secret);
});
