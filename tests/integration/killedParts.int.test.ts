import { createHash, randomBytes } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually, signUpByPhone } from '@nolo/testing';
import { enter, rtpCapabilities } from '../support/meetingCast.ts';
import { must } from '../support/must.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

/* Parts are killed here, and come back. */

let running: TestStack;
const url = () => running.urls[0]!;

beforeAll(async () => {
  running = await startTestStack({ media: 1, env: { MEDIA_WORKERS: '1' } });
}, 120_000);
afterAll(() => running.stop());

it('an upload in parts goes on when the gateway and the service were killed on the way', async () => {
  const user = await signUpByPhone(url());
  const partBytes = limits.uploadPartBytesMin;
  const parts = [randomBytes(partBytes), randomBytes(partBytes), randomBytes(1_000_000)];
  const begun = must(await user.api.post('/s3/multipart', { filename: 'a.bin', type: '', metadata: {} }), 'An upload');
  const { key, uploadId } = begun.body as { key: string; uploadId: string };
  const at = (rest = '') => `/s3/multipart/${uploadId}${rest}?key=${encodeURIComponent(key)}`;
  const put = async (number: number) => {
    const signed = must(await user.api.get(at(`/${number}`)), 'An address').body;
    const written = await fetch(
      new URL(new URL(signed.url as string).pathname + new URL(signed.url as string).search, url()),
      {
        method: 'PUT',
        body: new Uint8Array(parts[number - 1]!),
      },
    );
    expect(written.status).toBe(200);
    return written.headers.get('etag')!;
  };
  await put(1);
  await running.stack.service('gateway').restart();
  await put(2);
  await running.stack.service('files').restart();
  await eventually(async () => (await user.api.get(at())).status === 200);
  const listed = (await user.api.get(at())).body as { PartNumber: number; ETag: string; Size: number }[];
  expect(listed.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
    [1, partBytes],
    [2, partBytes],
  ]);
  const etag = await put(3);
  const named = [...listed, { PartNumber: 3, ETag: etag }].map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
  const done = must(await user.api.post(at('/complete'), { parts: named }), 'The file').body;
  expect(must(await user.api.post(at('/complete'), { parts: named }), 'The same again').body).toEqual(done);
  const read = await fetch(new URL(done.location as string, url()), {
    headers: { authorization: `Bearer ${user.api.token ?? ''}` },
  });
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  expect(digest(new Uint8Array(await read.arrayBuffer()))).toBe(digest(Buffer.concat(parts)));
  const across = await user.api.get(done.location as string, {
    headers: { range: `bytes=${partBytes - 2}-${partBytes + 1}` },
  });
  expect(across.status).toBe(206);
  expect(across.headers.get('content-length')).toBe('4');
}, 90_000);

it('without a media node, meetings say so and everything else goes on', async () => {
  const media = running.stack.service('media-sfu');
  await media.kill('SIGKILL', { hold: true });
  const ann = await signUpByPhone(url());
  const { roomCode } = must(await ann.api.post('/api/meetings/create', { name: 'A meeting' }), 'A meeting').body;
  const socket = await ann.connectSocket();
  await eventually(async () => (await ann.api.get('/api/media/capabilities')).status === 503, { timeoutMs: 20_000 });
  expect(await socket.request('join_meeting', { roomCode, rtpCapabilities })).toMatchObject({
    type: 'error',
    data: { code: 'media_unavailable', retryAfterMs: expect.any(Number) },
  });
  // Chat works, and whoever watches is told that calls do not.
  expect(await ann.api.get('/healthz')).toMatchObject({
    status: 200,
    body: { status: 'degraded', missing: [], parts: { meetings: { ok: true }, media: { ok: false } } },
  });
  await media.start();
  await eventually(async () => (await ann.api.get('/api/media/capabilities')).status === 200, { timeoutMs: 20_000 });
  expect(await enter(socket, roomCode as string, { rtpCapabilities })).toMatchObject({
    state: 'joined',
    media: { consumers: [] },
  });
  await ann.disconnect();
});
