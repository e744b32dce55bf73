import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { closeCodes } from '@nolo/api';
import { eventually, type TestSocket, type TestUser } from '@nolo/testing';
import { startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;

beforeEach(async () => {
  // Exceeds any test's timeout, so a gateway that waits unnecessarily fails the test.
  gateway = await startGateway({ DRAIN_SECONDS: '300' });
  user = await gateway.signUp();
});
// Runs after failed tests too: a running gateway keeps the whole run from ending.
afterEach(() => gateway.stop());

async function openSockets(count: number, people = [user]): Promise<TestSocket[]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, at) => people[at % people.length]!.connectSocket()),
  );
  await Promise.all(sockets.map((socket) => socket.next('hello')));
  return sockets;
}

/** Returns the server's raw response to an upgrade. */
async function requestUpgrade(): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.write(upgradeOf(hostname));
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  return text;
}

function upgradeOf(hostname: string): string {
  return `GET /ws HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bm9sbyBub2xvIG5vbG8hIQ==\r\nAuthorization: Bearer ${user.api.token}\r\n\r\n`;
}

/** Opens a WebSocket whose client never confirms closing, so the gateway waits for it. */
async function openDeaf(): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.write(upgradeOf(hostname));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 101 /);
  socket.resume();
  return socket;
}

it('announces its shutdown, still answers, and redirects everyone', async () => {
  // More sockets than one account may have, so three accounts share them.
  const sockets = await openSockets(60, [user, await gateway.signUp(), await gateway.signUp()]);
  const closedAt: number[] = [];
  for (const socket of sockets) void socket.closed.then(() => closedAt.push(performance.now()));
  const deaf = await openDeaf();
  let done = false;
  const stopped = gateway.stop().then(() => (done = true));
  await eventually(() => closedAt.length > 0);

  const [ready, alive, health, answer, refusal] = await Promise.all([
    fetch(`${gateway.metricsUrl}/readyz`),
    fetch(`${gateway.metricsUrl}/livez`),
    gateway.anonymous.get('/healthz'),
    user.api.get('/api/conversations'),
    requestUpgrade(),
  ]);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { ready: false, checks: { process: { ok: false, detail: 'stopping' } } },
  ]);
  expect(alive.status).toBe(200);
  expect([health.status, health.body]).toMatchObject([503, { status: 'stopping', missing: ['gateway'] }]);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(refusal).toMatch(/^Connection: close\r$/m);
  expect(refusal).toMatch(/^Retry-After: 1\r$/m);
  expect(refusal).toContain('"code":"draining"');
  // All sockets closed before draining finished.
  expect(done).toBe(false);

  for (const socket of sockets) expect((await socket.closed).code).toBe(closeCodes.draining);
  // Closing takes six steps with a pause after each. A busy machine makes them longer, never shorter.
  expect(closedAt.at(-1)! - closedAt[0]!).toBeGreaterThan(150);
  deaf.destroy();
  await stopped;
});

it('lets a running request finish', async () => {
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

it('does not wait for idle connections', async () => {
  const { hostname, port } = new URL(gateway.url);
  // Browsers open such a connection in advance and send nothing on it.
  const unused = connect(Number(port), hostname);
  await once(unused, 'connect');
  unused.on('error', () => undefined);
  await openSockets(3);
  await gateway.anonymous.get('/api/config');
  await gateway.stop();
});
