import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { closeCodes } from '@nolo/api';
import { eventually, type TestSocket, type TestUser } from '@nolo/testing';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
let user: TestUser;

beforeEach(async () => {
  gateway = await startTestGateway();
  user = await gateway.signUp();
});

async function openSockets(count: number, people = [user]): Promise<TestSocket[]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, at) => people[at % people.length]!.connectSocket()),
  );
  await Promise.all(sockets.map((socket) => socket.next('hello')));
  return sockets;
}

/** What the server says to an upgrade, word for word. */
async function askUpgrade(): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bm9sbyBub2xvIG5vbG8hIQ==\r\nAuthorization: Bearer ${user.api.token}\r\n\r\n`,
  );
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  return text;
}

it('says that it is going down, still answers, and sends everybody on', async () => {
  // More than one account may have.
  const sockets = await openSockets(60, [user, await gateway.signUp(), await gateway.signUp()]);
  const closedAt: number[] = [];
  for (const socket of sockets) void socket.closed.then(() => closedAt.push(performance.now()));
  const stopped = gateway.stop();
  await eventually(() => closedAt.length > 0);

  const ready = await fetch(`${gateway.metricsUrl}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { ready: false, checks: { gateway: { ok: false, detail: 'draining' } } },
  ]);
  expect((await fetch(`${gateway.metricsUrl}/livez`)).status).toBe(200);
  const health = await gateway.anonymous.get('/healthz');
  expect([health.status, health.body]).toMatchObject([503, { status: 'stopping', missing: ['gateway'] }]);
  const answer = await user.api.get('/api/conversations');
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  const refusal = await askUpgrade();
  expect(refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(refusal).toMatch(/^Connection: close\r$/m);
  expect(refusal).toMatch(/^Retry-After: 1\r$/m);
  expect(refusal).toContain('"code":"draining"');
  // All of that while most of them were still here.
  expect(closedAt.length).toBeLessThan(sockets.length);

  for (const socket of sockets) expect((await socket.closed).code).toBe(closeCodes.draining);
  expect(closedAt.at(-1)! - closedAt[0]!).toBeGreaterThan(150);
  await stopped;
});

it('lets a request that is under way finish', async () => {
  const { body } = await user.api.post('/api/objects/upload');
  const { pathname, search } = new URL(body.uploadURL as string);
  const bytes = Buffer.alloc(100_000, 7);
  const put = request(new URL(pathname + search, gateway.url), {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': bytes.length },
  });
  const answered = once(put, 'response');
  put.write(bytes.subarray(0, 50_000));
  await eventually(() => put.socket?.bytesWritten && put.socket.writableLength === 0);
  const stopped = gateway.stop();
  await eventually(async () => (await fetch(`${gateway.metricsUrl}/readyz`)).status === 503);
  put.end(bytes.subarray(50_000));
  const [response] = await answered;
  expect(response.statusCode).toBe(200);
  response.resume();
  await stopped;
});

it('is quick about it where nobody is in the middle of anything', async () => {
  const { hostname, port } = new URL(gateway.url);
  // As a browser opens one in advance; it never asks for anything.
  const unused = connect(Number(port), hostname);
  await once(unused, 'connect');
  unused.on('error', () => undefined);
  await openSockets(3);
  await gateway.anonymous.get('/api/config');
  const since = performance.now();
  await gateway.stop();
  expect(performance.now() - since).toBeLessThan(1_500);
});
