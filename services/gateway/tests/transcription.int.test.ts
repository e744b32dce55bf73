import { request } from 'node:http';
import { createAppError } from '@nolo/kit/errors';
import { limits } from '@nolo/rules';
import { eventually, type TestUser } from '@nolo/testing';
import { startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  gateway.transcriber.answers.error = undefined;
  user = await gateway.signUp();
});

const path = '/api/transcribe-voice';

const formOf = (bytes: Uint8Array<ArrayBuffer> | string, field = 'audio') => {
  const form = new FormData();
  form.set('duration', '3');
  form.set(field, new Blob([bytes], { type: 'audio/webm' }), 'voice.webm');
  return form;
};

const sizes = () =>
  gateway.transcriber.receivedVoiceNotes.filter(({ actorId }) => actorId === user.id).map(({ size }) => size);

it('forwards the audio of a form, and returns the text', async () => {
  const sound = Buffer.alloc(3_000_000, 'a');
  const reply = await user.api.post(path, formOf(sound));
  expect(reply).toMatchObject({ status: 200, body: { transcription: 'a'.repeat(100) } });
  expect(sizes()).toEqual([sound.length]);
  expect((await user.api.post(path, formOf(''))).status).toBe(200);
});

it("returns the transcriber's answer even before everything was sent", async () => {
  gateway.transcriber.answers.error = createAppError('forbidden', 'transcription_off', 'Switch it on first.');
  const reply = await user.api.post(path, formOf(Buffer.alloc(2_000_000)));
  expect(reply).toMatchObject({ status: 403, body: { code: 'transcription_off' } });
});

it('rejects anything but a form, a missing field and a malformed body', async () => {
  const send = (body: string, type: string) => user.api.post(path, body, { headers: { 'content-type': type } });
  expect(await user.api.post(path, { audio: 'x' })).toMatchObject({ status: 415 });
  expect(await user.api.post(path)).toMatchObject({ status: 415 });
  expect(await send('x', 'multipart/form-data')).toMatchObject({ status: 400, body: { code: 'form_invalid' } });
  const boundary = 'multipart/form-data; boundary=cut';
  expect(await send('--cut--\r\n', boundary)).toMatchObject({ status: 400 });
  const unfinished = '--cut\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nhello';
  expect(await send(unfinished, boundary)).toMatchObject({ status: 400, body: { code: 'form_invalid' } });
  expect(await user.api.post(path, formOf('hello', 'other'))).toMatchObject({
    status: 400,
    body: { code: 'form_invalid' },
  });
  const empty = new FormData();
  empty.set('audio', 'no file');
  expect(await user.api.post(path, empty)).toMatchObject({ status: 400, body: { code: 'file_missing' } });
  expect(sizes()).toEqual([]);
});

it('stops at the limit, announced or not', async () => {
  const large = Buffer.alloc(limits.transcriptionAudioBytes + 100_000);
  expect(await user.api.post(path, formOf(large))).toMatchObject({ status: 413, body: { code: 'audio_too_large' } });
  // Sends four times the limit: a server that accepts all of it has no limit.
  async function* tooMuch() {
    yield Buffer.from('--cut\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\n');
    for (let sent = 0; sent < 4 * limits.transcriptionAudioBytes; sent += 65_536) yield Buffer.alloc(65_536);
  }
  const sending = new AbortController();
  // The server responds midway and closes the connection; which of the two the client notices first is a race.
  const status = await fetch(new URL(path, gateway.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${user.api.token}`, 'content-type': 'multipart/form-data; boundary=cut' },
    body: tooMuch(),
    duplex: 'half',
    signal: sending.signal,
  } as unknown as RequestInit).then(
    (reply) => reply.status,
    () => 413,
  );
  // Aborts the rest, which would wait forever for a server that has stopped reading.
  sending.abort();
  expect(status).toBe(413);
  expect(sizes()).toEqual([]);
});

it('ignores an interrupted voice message, and continues', async () => {
  const upload = request(new URL(path, gateway.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${user.api.token}`, 'content-type': 'multipart/form-data; boundary=cut' },
  });
  upload.on('error', () => undefined);
  upload.write('--cut\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nhello');
  await eventually(() => gateway.transcriber.begun.includes(user.id));
  upload.destroy();
  expect((await user.api.post(path, formOf('hello'))).body).toEqual({ transcription: 'hello' });
  expect(sizes()).toEqual([5]);
});

it('is not offered if no engine is configured', async () => {
  const without = await startGateway({ TRANSCRIBER_ADDR: '' });
  try {
    const { body } = await without.anonymous.get('/api/config');
    expect(body.features.transcription).toBe(false);
    const someone = await without.signUp();
    expect(await someone.api.post(path, formOf('hello'))).toMatchObject({
      status: 404,
      body: { code: 'transcription_unavailable' },
    });
    expect((await without.anonymous.get('/healthz')).body.parts).not.toHaveProperty('transcriber');
  } finally {
    await without.stop();
  }
});
