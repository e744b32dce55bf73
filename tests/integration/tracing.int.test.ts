import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { converse, eventually, randomPhone, signInByPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import { enterMeetingBySocket, testRtpCapabilities } from '../support/authorization/meetingCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';
import { startTraceReceiver, type ReceivedSpan, type TraceReceiver } from '../support/stacks/traceReceiver.ts';

let receiver: TraceReceiver;
let stack: TestStack;
let ann: TestUser;
let ben: TestUser;
let conversationId: string;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  stack = await startTestStack({
    gateways: 2,
    media: 1,
    env: {
      MEDIA_WORKERS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20for-the-collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_TRACES_SAMPLER_ARG: '0.5',
    },
  });
  const [first = '', second = ''] = stack.urls;
  ann = await signInByPhone(first, randomPhone());
  ben = await signInByPhone(second, randomPhone());
  conversationId = (await converse(ann, ben)).id as string;
});
afterAll(async () => {
  await Promise.all([ann, ben].map((user) => user?.disconnect()));
  await stack?.stop();
  await receiver?.stop();
});

/**
 * Builds a trace header that gateways sample or not at the share configured above, which depends on the last 13 digits
 * of the id.
 */
function header(kept: boolean, flags = '00'): { traceId: string; headers: { traceparent: string } } {
  const traceId = `${randomBytes(16).toString('hex').slice(0, 19)}${kept ? '0' : 'f'}${randomBytes(6).toString('hex')}`;
  return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` } };
}

const send = (content: string, headers: { traceparent: string }) =>
  ann.api.post('/api/messages', { conversationId, content, clientMessageId: randomUUID() }, { headers });

const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);

function find(spans: readonly ReceivedSpan[], service: string, name: string | RegExp): ReceivedSpan {
  const found = spans.find(
    (span) => span.service === service && (typeof name === 'string' ? span.name === name : name.test(span.name)),
  );
  if (found) return found;
  const seen = spans.map((span) => `${span.service}: ${span.name}`).join('\n');
  throw new Error(`There is no span ${String(name)} of ${service} among\n${seen}`);
}

it('follows a message from the browser’s header to the other person’s socket', async () => {
  const socket = await ben.connectSocket();
  await socket.next('hello');
  const { traceId, headers } = header(true);
  const content = `a word that stays between us ${randomUUID()}`;
  const sent = await send(content, headers);
  expect(sent.status).toBe(201);
  await socket.next('new_message', (data) => data['content'] === content);

  // Each process sends its spans at its own time.
  const spans = await eventually(() => {
    const all = spansOf(traceId);
    find(all, 'gateway', 'process gateway.{replica}.deliver');
    find(all, 'gateway', 'POST /api/messages');
    find(all, 'gateway', 'nolo.chat.v1.ChatService/SendMessage');
    find(all, 'chat', 'nolo.chat.v1.ChatService/SendMessage');
    find(all, 'chat', 'publish gateway.{replica}.deliver');
    return all;
  });
  const request = find(spans, 'gateway', 'POST /api/messages');
  expect(request.parentId).toBe(headers.traceparent.split('-')[2]);
  expect(request.attributes).toMatchObject({
    'http.route': '/api/messages',
    'http.response.status_code': 201,
    'nolo.request_id': sent.headers.get('x-request-id'),
  });
  const clientSpan = find(spans, 'gateway', 'nolo.chat.v1.ChatService/SendMessage');
  expect(clientSpan.parentId).toBe(request.spanId);
  const served = find(spans, 'chat', 'nolo.chat.v1.ChatService/SendMessage');
  expect(served.parentId).toBe(clientSpan.spanId);
  const statement = find(spans, 'chat', 'chat_append');
  expect(statement.parentId).toBe(served.spanId);
  expect(statement.attributes).toMatchObject({ 'db.system.name': 'postgresql' });
  const published = find(spans, 'chat', 'publish gateway.{replica}.deliver');
  expect(published.parentId).toBe(served.spanId);
  const delivered = find(spans, 'gateway', 'process gateway.{replica}.deliver');
  expect(spans.some(({ name, spanId }) => name.startsWith('publish') && spanId === delivered.parentId)).toBe(true);
  expect(delivered.attributes).toMatchObject({ 'nolo.frame.type': 'new_message' });
  expect(receiver.authorization()).toBe('Bearer for-the-collector');
});

it('keeps messages apart that share a call and a statement', async () => {
  const socket = await ben.connectSocket();
  await socket.next('hello');
  const traces = Array.from({ length: 12 }, () => header(true));
  await Promise.all(
    traces.map(async ({ headers }, index) => {
      expect((await send(`one of many ${String(index)}`, headers)).status).toBe(201);
    }),
  );
  for (const { traceId } of traces) {
    await eventually(() => find(spansOf(traceId), 'chat', 'publish gateway.{replica}.deliver'));
  }
});

it('lets the gateway alone decide what is sampled, whatever the client requests', async () => {
  const unwanted = header(false, '01');
  expect((await send('not kept', unwanted.headers)).status).toBe(201);
  const wanted = header(true);
  expect((await send('kept', wanted.headers)).status).toBe(201);
  await eventually(() => find(spansOf(wanted.traceId), 'chat', 'publish gateway.{replica}.deliver'));
  expect(spansOf(unwanted.traceId)).toEqual([]);
});

it('starts a trace for requests without one, and for socket frames', async () => {
  const socket = await ann.connectSocket();
  // Half of them are sampled, so it is almost impossible that none is.
  for (let count = 0; count < 20; count += 1) {
    await socket.request('join_conversation', { conversationId });
    await socket.request('leave_conversation', { conversationId });
  }
  await eventually(() => {
    const frame = find(receiver.spans, 'gateway', 'frame join_conversation');
    expect(frame.parentId).toBe('');
    return find(spansOf(frame.traceId), 'chat', 'nolo.chat.v1.ChatService/GetConversation');
  });
});

it('reveals nothing about anyone', async () => {
  const content = `between us ${randomUUID()}`;
  const phone = randomPhone();
  const [messageTrace, clientSpan, viewHeaders] = [header(true), header(true), header(true)];
  await send(content, messageTrace.headers);
  await ann.api.post('/api/verification/send', { type: 'sms', phoneNumber: phone }, clientSpan);
  await ann.api.get(`/api/users/${ben.id}`, viewHeaders);
  await eventually(() => {
    find(spansOf(messageTrace.traceId), 'chat', 'publish gateway.{replica}.deliver');
    find(spansOf(clientSpan.traceId), 'gateway', 'POST /api/verification/send');
    find(spansOf(clientSpan.traceId), 'identity', /verification_sends/);
    find(spansOf(viewHeaders.traceId), 'gateway', 'GET /api/users/{id}');
    return true;
  });
  const everything = Buffer.concat(receiver.bodies);
  const secrets = [content, phone, phone.slice(1), ann.phone, ann.id, ben.id, conversationId, ann.api.token ?? ''];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5);
    expect(everything.includes(secret)).toBe(false);
  }
});

/* Runs last, because services are killed here, and come back. */
describe('a killed service', () => {
  const url = () => stack.urls[0] ?? '';

  it('a multipart upload continues after the gateway and the service were killed midway', async () => {
    const user = await signUpByPhone(url());
    const partBytes = limits.uploadPartBytesMin;
    const parts = [randomBytes(partBytes), randomBytes(partBytes), randomBytes(1_000_000)];
    const begun = requireSuccess(
      await user.api.post('/s3/multipart', { filename: 'a.bin', type: '', metadata: {} }),
      'An upload',
    );
    const { key, uploadId } = begun.body as { key: string; uploadId: string };
    const at = (rest = '') => `/s3/multipart/${uploadId}${rest}?key=${encodeURIComponent(key)}`;
    const put = async (number: number) => {
      const signed = requireSuccess(await user.api.get(at(`/${number}`)), 'An address').body;
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
    await stack.stack.service('gateway').restart();
    await put(2);
    await stack.stack.service('files').restart();
    await eventually(async () => (await user.api.get(at())).status === 200);
    const listed = (await user.api.get(at())).body as { PartNumber: number; ETag: string; Size: number }[];
    expect(listed.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
      [1, partBytes],
      [2, partBytes],
    ]);
    const etag = await put(3);
    const named = [...listed, { PartNumber: 3, ETag: etag }].map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
    const done = requireSuccess(await user.api.post(at('/complete'), { parts: named }), 'The file').body;
    expect(requireSuccess(await user.api.post(at('/complete'), { parts: named }), 'The same again').body).toEqual(done);
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
  });

  it('a missing media node is reported by meetings, and everything else continues', async () => {
    const media = stack.stack.service('media-sfu');
    await media.kill('SIGKILL', { hold: true });
    const ann = await signUpByPhone(url());
    const { roomCode } = requireSuccess(
      await ann.api.post('/api/meetings/create', { name: 'A meeting' }),
      'A meeting',
    ).body;
    const socket = await ann.connectSocket();
    await eventually(async () => (await ann.api.get('/api/media/capabilities')).status === 503);
    expect(await socket.request('join_meeting', { roomCode, rtpCapabilities: testRtpCapabilities })).toMatchObject({
      type: 'error',
      data: { code: 'media_unavailable', retryAfterMs: expect.any(Number) },
    });
    // Chat works, and the health check reports that calls do not.
    expect(await ann.api.get('/healthz')).toMatchObject({
      status: 200,
      body: { status: 'degraded', missing: [], parts: { meetings: { ok: true }, media: { ok: false } } },
    });
    await media.start();
    await eventually(async () => (await ann.api.get('/api/media/capabilities')).status === 200);
    expect(
      await enterMeetingBySocket(socket, roomCode as string, { rtpCapabilities: testRtpCapabilities }),
    ).toMatchObject({
      state: 'joined',
      media: { consumers: [] },
    });
    await ann.disconnect();
  });
});
