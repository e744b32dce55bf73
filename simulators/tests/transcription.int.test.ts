import { startSimulators } from './startSimulators.ts';

const key = 'a-key-for-the-tests-alone';
let simulators: Awaited<ReturnType<typeof startSimulators>>;

beforeEach(async () => {
  simulators = await startSimulators({ TRANSCRIBE_API_KEY: key });
});
afterEach(() => simulators.stop());

interface TranscriptionOptions {
  token?: string;
  fileName?: string;
  size?: number;
  model?: string;
  format?: string;
}

async function transcribe({
  token = key,
  fileName = 'voice.webm',
  size = 5_000,
  model = 'whisper-1',
  format,
}: TranscriptionOptions = {}) {
  const form = new FormData();
  if (fileName !== '') form.set('file', new Blob([new Uint8Array(size)], { type: 'audio/webm' }), fileName);
  if (model !== '') form.set('model', model);
  if (format !== undefined) form.set('response_format', format);
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${simulators.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
  const text = await response.text();
  const body = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as never) : text;
  return { status: response.status, headers: response.headers, body };
}

const prepare = (answers: object[]) =>
  fetch(`${simulators.url}/transcription/answers`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answers),
  });

test('a request is answered with text, in the formats of the protocol', async () => {
  expect(await transcribe()).toMatchObject({ status: 200, body: { text: 'Words from a voice note.' } });
  await prepare([{ text: 'one' }, { text: 'two', seconds: 3 }, { text: 'three', seconds: 4 }]);
  expect((await transcribe({ format: 'text' })).body).toBe('one\n');
  expect((await transcribe()).body).toEqual({ text: 'two', usage: { type: 'duration', seconds: 3 } });
  expect((await transcribe({ format: 'verbose_json' })).body).toMatchObject({ text: 'three', duration: 4 });
  const { requests } = (await (await fetch(`${simulators.url}/transcription/requests`)).json()) as never as {
    requests: object[];
  };
  expect(requests).toHaveLength(4);
  expect(requests[1]).toEqual({
    model: 'whisper-1',
    responseFormat: 'text',
    language: null,
    fileName: 'voice.webm',
    contentType: 'audio/webm',
    bytes: 5_000,
  });
});

test.each<[string, number, string | null, TranscriptionOptions]>([
  ['no key', 401, null, { token: '' }],
  ['a wrong key', 401, 'invalid_api_key', { token: 'another' }],
  ['no file', 400, null, { fileName: '' }],
  ['no model', 400, null, { model: '' }],
  ['an unknown model', 404, 'model_not_found', { model: 'large' }],
  ['an unsupported format', 400, null, { fileName: 'voice.txt' }],
  ['too little audio', 400, 'audio_too_short', { size: 10 }],
  ['more than 25 MB', 413, null, { size: 26_214_401 }],
])('%s is refused with %i', async (_what, status, code, options) => {
  const reply = await transcribe(options);
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ error: { type: expect.any(String), code, message: expect.any(String) } });
});

test('each prepared error is returned once', async () => {
  await prepare([
    { error: 'rate_limit_exceeded', retryAfterSeconds: 2 },
    { error: 'insufficient_quota' },
    { error: 'server_error' },
    { error: 'overloaded' },
    { error: 'not_json' },
    { cut: true },
  ]);
  const limited = await transcribe();
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await transcribe()).toMatchObject({ status: 429, body: { error: { code: 'insufficient_quota' } } });
  expect((await transcribe()).status).toBe(500);
  expect((await transcribe()).status).toBe(503);
  expect(await transcribe()).toMatchObject({ status: 502, body: expect.stringContaining('<h1>') });
  await expect(transcribe()).rejects.toThrow();
  expect((await transcribe()).status).toBe(200);
  expect((await prepare([{ error: 'pigeon' }])).status).toBe(400);
});
