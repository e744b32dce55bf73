import type { Knex } from '@nolo/kit/db';
import { eventually, openDatabase } from '@nolo/testing';
import { expectRpcError, startTranscriber, type TestTranscriber } from './startTranscriber.ts';
import { createWebm } from './webm.ts';

/** Tests how much a user may transcribe according to billing, and who counts usage (decisions 27 and 28). */

let transcriber: TestTranscriber;
let db: Knex;

beforeAll(async () => {
  transcriber = await startTranscriber({ plans: true });
  db = openDatabase(transcriber.environment.urls.transcriber, 'transcriber');
});
afterAll(async () => {
  await db.destroy();
  await transcriber.stop();
});
beforeEach(() => {
  transcriber.billing.setAway(false);
  transcriber.clock.set('2026-11-20T12:00:00Z');
});

const createVoiceNote = (seconds: number) => createWebm({ seconds });
const billed = (userId: string, month?: string) => transcriber.billing.used(userId, 'transcriptionSeconds', month);
const limitOf = async (actorId: string) => (await transcriber.client.getUsage({ actorId })).limitSeconds;
/** Creates a speaker who has used the given minutes of the free plan. */
async function speakerWith(minutes: number): Promise<string> {
  const ann = transcriber.speaker();
  for (let left = minutes; left > 0; left -= 10) await transcriber.transcribe(ann, createVoiceNote(600));
  await eventually(() => billed(ann) === minutes * 60);
  return ann;
}

test('running out of minutes states what raises the limit, and a pack or a plan raises it at once', async () => {
  const ann = await speakerWith(30);
  expect(await expectRpcError(transcriber.transcribe(ann, createVoiceNote(1)))).toMatchObject({
    kind: 'plan_limited',
    code: 'transcription_limit',
    details: {
      feature: 'transcriptionSeconds',
      limit: 1_800,
      used: 1_800,
      liftedBy: ['plus', 'business'],
      addOn: 'transcription',
    },
  });
  await transcriber.billing.sell(ann, 'free', { transcription: 1 });
  await eventually(async () => (await limitOf(ann)) === 1_800 + 360_000);
  await transcriber.transcribe(ann, createVoiceNote(5));
  await eventually(() => billed(ann) === 1_805);
});

test('a downgrade stops transcription, and usage stays counted', async () => {
  const ann = transcriber.speaker();
  await transcriber.billing.sell(ann, 'plus');
  await eventually(async () => (await limitOf(ann)) === 18_000);
  for (let n = 0; n < 4; n += 1) await transcriber.transcribe(ann, createVoiceNote(600));
  await transcriber.billing.sell(ann, 'free');
  await eventually(async () => (await limitOf(ann)) === 1_800);
  expect(await expectRpcError(transcriber.transcribe(ann, createVoiceNote(1)))).toMatchObject({
    details: { used: 2_400 },
  });
  expect(await transcriber.used(ann)).toBe(2_400);
});

test('minutes that were not transcribed are given back', async () => {
  const ann = transcriber.speaker();
  await transcriber.prepare({ error: 'invalid_file' });
  expect(await expectRpcError(transcriber.transcribe(ann, createVoiceNote(60)))).toMatchObject({
    code: 'transcription_failed',
  });
  await eventually(() => billed(ann) === 0);
  expect(await transcriber.used(ann)).toBe(0);
});

test('the last known minutes apply while billing is down, and usage is reported once afterwards', async () => {
  const [ann, ben] = [transcriber.speaker(), transcriber.speaker()];
  await transcriber.billing.sell(ann, 'plus');
  await eventually(async () => (await limitOf(ann)) === 18_000);
  transcriber.billing.setAway(true);
  for (let n = 0; n < 4; n += 1) await transcriber.transcribe(ann, createVoiceNote(600));
  for (let n = 0; n < 3; n += 1) await transcriber.transcribe(ben, createVoiceNote(600));
  expect(await expectRpcError(transcriber.transcribe(ben, createVoiceNote(1)))).toMatchObject({
    code: 'transcription_limit',
  });
  expect([billed(ann), billed(ben)]).toEqual([0, 0]);
  transcriber.billing.setAway(false);
  await eventually(() => billed(ann) === 2_400 && billed(ben) === 1_800);
  await eventually(async () => (await db('use_ends').whereNull('told_at')).length === 0);
  expect([billed(ann), billed(ben)]).toEqual([2_400, 1_800]);
});

test('minutes reset with each month', async () => {
  const ann = await speakerWith(30);
  transcriber.clock.set('2026-12-01T00:00:10Z');
  await transcriber.transcribe(ann, createVoiceNote(7));
  await eventually(() => billed(ann, '2026-12') === 7);
  expect(billed(ann, '2026-11')).toBe(1_800);
});
