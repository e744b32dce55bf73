import { eventually, exportOf, signUpByPhone, type TestUser } from '@nolo/testing';
import { must } from '../support/must.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

/** A voice note through all of Nolo, with the simulated engine. */

let running: TestStack;
let ann: TestUser;

beforeAll(async () => {
  running = await startTestStack({ transcription: true, env: { TRANSCRIBE_PLAN: 'free' } });
  ann = await signUpByPhone(running.urls[0]!);
}, 120_000);
afterAll(async () => {
  await running?.stop();
});

/** A second of silence, as WAV. */
function voiceNote(seconds = 1): FormData {
  const rate = 8_000;
  const file = Buffer.alloc(44 + seconds * rate * 2);
  file.write('RIFF');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(file.length - 44, 40);
  const form = new FormData();
  form.set('audio', new Blob([file], { type: 'audio/wav' }), 'voice.wav');
  return form;
}

const transcribe = (user: TestUser, form = voiceNote()) => user.api.post('/api/transcribe-voice', form);
const prepare = (...answers: object[]) =>
  fetch(`${running.stack.simulatorsUrl}/transcription/answers`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answers),
  });

it('is offered, off until somebody wants it, and then writes down what they say', async () => {
  const { body: config } = await ann.api.get('/api/config');
  expect(config.features.transcription).toBe(true);
  expect((await ann.api.get('/api/auth/user')).body.transcribeVoiceNotes).toBe(false);
  expect(await transcribe(ann)).toMatchObject({ status: 403, body: { code: 'transcription_off' } });

  const socket = await ann.connectSocket();
  must(await ann.api.put('/api/profile/privacy', { transcribeVoiceNotes: true }), 'The switch');
  await socket.next('self_changed');
  await prepare({ text: 'See you at five.' });
  expect(await transcribe(ann, voiceNote(3))).toMatchObject({
    status: 200,
    body: { transcription: 'See you at five.' },
  });
  const { body: usage } = await ann.api.get('/api/transcription');
  expect(usage).toMatchObject({ usedSeconds: 3, limitSeconds: 30 * 60 });
  const { data: exported } = await exportOf(ann);
  expect(exported['account']!.profile.transcribeVoiceNotes).toBe(true);
  expect(exported['transcription']).toEqual([{ month: expect.stringMatching(/^\d{4}-\d\d$/), usedSeconds: 3 }]);
});

it('tells failures apart: of the engine, of the voice note, of the plan', async () => {
  const ben = await signUpByPhone(running.urls[0]!);
  must(await ben.api.put('/api/profile/privacy', { transcribeVoiceNotes: true }), 'The switch');
  await prepare({ error: 'insufficient_quota' });
  expect(await transcribe(ben)).toMatchObject({ status: 503, body: { code: 'transcription_failed' } });
  const text = new FormData();
  text.set('audio', new Blob(['These are words and no sound.']), 'voice.webm');
  expect(await transcribe(ben, text)).toMatchObject({ status: 400, body: { code: 'audio_not_recognised' } });
  expect(await transcribe(ben, voiceNote(610))).toMatchObject({ status: 413, body: { code: 'audio_too_long' } });
  for (let n = 0; n < 3; n += 1) must(await transcribe(ben, voiceNote(600)), 'A long voice note');
  expect(await transcribe(ben)).toMatchObject({
    status: 402,
    body: {
      code: 'transcription_limit',
      details: {
        feature: 'transcriptionSeconds',
        limit: 1_800,
        used: 1_800,
        liftedBy: ['plus', 'business'],
        addOn: 'transcription',
      },
    },
  });
});

it('is watched like every part, and missed by nobody who only chats', async () => {
  const unit = running.stack.service('transcriber');
  const text = await (await fetch(running.stack.metricsUrls['transcriber']!)).text();
  for (const name of ['nolo_build_info', 'nolo_transcriptions_total', 'nolo_rpc_server_seconds_count']) {
    expect(text).toContain(name);
  }
  await unit.stop();
  await eventually(async () => {
    const { status, body } = await ann.api.get('/healthz');
    return status === 200 && body.parts.transcriber.ok === false;
  });
  expect(await transcribe(ann)).toMatchObject({ status: 503 });
  await unit.start();
  await eventually(async () => (await transcribe(ann)).status === 200);
});

it('forgets the minutes of an account that is deleted', async () => {
  const leaving = await signUpByPhone(running.urls[0]!);
  must(await leaving.api.put('/api/profile/privacy', { transcribeVoiceNotes: true }), 'The switch');
  must(await transcribe(leaving), 'A voice note');
  must(await leaving.api.delete('/api/account'), 'The end');
  expect((await transcribe(leaving)).status).toBe(401);
});
