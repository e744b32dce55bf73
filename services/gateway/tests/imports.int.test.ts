import { once } from 'node:events';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { eventually, readTestServerAddresses, createUniqueName, type TestUser } from '@nolo/testing';
import { WebSocket } from 'ws';
import { createPendingFileImportStore } from '../src/imports/pendingFileImportStore.ts';
import { privateAddress, publicAddress, startLinkSite, type LinkSite } from './linkSite.ts';
import { startGateway, type TestGateway } from './startGateway.ts';

/** Waits until the check passes. */
const until = (check: () => unknown) =>
  eventually(async () => {
    await check();
    return true;
  });

const bytes = Buffer.alloc(2_000_000, 'x');

let site: LinkSite;
let canary: LinkSite;
let gateway: TestGateway;
let user: TestUser;
/** Releases the response that the site holds back. */
let letGo: () => void = () => undefined;

beforeAll(async () => {
  canary = await startLinkSite((_request, response) => response.end('secret'), privateAddress);
  site = await startLinkSite((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/to-private')) {
      response.writeHead(302, { location: `http://private.test:${canary.port}/` }).end();
    } else if (path.startsWith('/to-itself')) {
      response.writeHead(302, { location: '/to-itself' }).end();
    } else if (path.startsWith('/slow')) {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length });
      response.write(bytes.subarray(0, 1_000_000));
      letGo = () => response.end(bytes.subarray(1_000_000));
    } else if (path.startsWith('/breaks-off')) {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length });
      response.write(bytes.subarray(0, 1_000_000), () => response.destroy());
    } else if (path.startsWith('/huge')) {
      response.writeHead(200, { 'content-length': 2 ** 40 }).flushHeaders();
    } else {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length }).end(bytes);
    }
  });
  gateway = await startGateway(
    {},
    {
      guard: {
        resolveHost: async (host) => [host === 'private.test' ? privateAddress : publicAddress],
        addressAllowed: (address) => address === publicAddress,
        portAllowed: () => true,
      },
    },
  );
  user = await gateway.signUp();
});
afterAll(async () => {
  await gateway.stop();
  await site.stop();
  await canary.stop();
});

const link = (path: string) => `http://site.test:${site.port}${path}`;
const order = (path: string, more: object = {}) =>
  user.api.post('/url/get', { url: link(path), protocol: 's3-multipart', size: null, metadata: {}, ...more });

async function open(token: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/${token}`, { headers });
  const frames: { action: string; payload: Record<string, never> & { [key: string]: unknown } }[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data as Buffer))));
  await once(socket, 'open');
  const last = () => frames.at(-1);
  return { socket, frames, over: () => until(() => expect(['success', 'error']).toContain(last()?.action)), last };
}

it('describes what is behind a link', async () => {
  expect(await user.api.post('/url/meta', { url: link('/films/My%20film.mp4?x=1') })).toMatchObject({
    status: 200,
    body: { name: 'My film.mp4', type: 'video/mp4', size: bytes.length },
  });
});

it('imports a file, reporting its progress', async () => {
  const { status, body } = await order('/film.mp4', { metadata: { name: 'mine.mp4', type: 'video/mp4' } });
  expect(status).toBe(200);
  const { over, last, frames, socket } = await open(body.token as string);
  await over();
  expect(frames[0]).toMatchObject({ action: 'progress', payload: { bytesTotal: bytes.length } });
  expect(last()).toMatchObject({ action: 'success', payload: { complete: true, bytesUploaded: bytes.length } });
  const url = String(last()?.payload['url']);
  expect((await user.api.get(url)).body).toHaveLength(bytes.length);
  expect(last()?.payload).toMatchObject({ response: { status: 200, body: { name: 'mine.mp4' } } });
  socket.close();
});

it('can be paused and resumed', async () => {
  const { body } = await order('/slow');
  const { socket, over, frames, last } = await open(body.token as string);
  await until(() => expect(frames.length).toBeGreaterThan(0));
  socket.send(JSON.stringify({ action: 'pause', payload: {} }));
  socket.send('what is this');
  socket.send(JSON.stringify({ action: 'resume', payload: {} }));
  letGo();
  await over();
  expect(last()?.action).toBe('success');
  socket.close();
});

const finished = () => [...gateway.files.shared.uploads.values()].filter(({ file }) => file !== undefined).length;

it('leaves nothing when cancelled', async () => {
  const before = finished();
  const { body } = await order('/slow');
  const { socket, frames } = await open(body.token as string);
  await until(() => expect(frames.length).toBeGreaterThan(0));
  socket.send(JSON.stringify({ action: 'cancel', payload: {} }));
  await until(async () => expect(await site.open()).toBe(0));
  expect(finished()).toBe(before);
  socket.close();
});

it.each([
  ['a private address', `http://127.0.0.3/`, 'link_refused'],
  ['where a redirect leads to one', '/to-private', 'link_refused'],
  ['an endless redirect', '/to-itself', 'link_unreachable'],
  ['an oversized file', '/huge', 'link_too_large'],
])('does not import from %s', async (_, where, code) => {
  const url = where.startsWith('/') ? link(where) : where;
  const meta = await user.api.post('/url/meta', { url });
  expect([meta.status, meta.body.code]).toEqual([422, code]);
  const { body } = await user.api.post('/url/get', { url });
  const { over, last, socket } = await open(body.token as string);
  await over();
  expect(last()).toMatchObject({ action: 'error', payload: { error: { code } } });
  socket.close();
  expect(canary.connections()).toBe(0);
});

it('does not store an interrupted download', async () => {
  const before = finished();
  const { body } = await order('/breaks-off');
  const { over, last, socket } = await open(body.token as string);
  await over();
  expect(last()).toMatchObject({ action: 'error', payload: { error: { code: 'link_unreachable' } } });
  expect(finished()).toBe(before);
  socket.close();
});

it('rejects invalid and forbidden links at once', async () => {
  for (const [url, status] of [
    ['file:///etc/passwd', 400],
    ['http://ada:secret@site.test/', 422],
    ['', 400],
  ] as const) {
    expect((await user.api.post('/url/get', { url })).status).toBe(status);
  }
  expect((await order('/film.mp4', { protocol: 'tus' })).status).toBe(400);
  gateway.files.shared.usage.used = gateway.files.shared.usage.limit;
  try {
    expect(await order('/film.mp4')).toMatchObject({ status: 402, body: { code: 'storage_full_plan' } });
  } finally {
    gateway.files.shared.usage.used = 0;
  }
});

it('a token is valid for one import, and not for other sites', async () => {
  const { body } = await order('/film.mp4');
  const token = body.token as string;
  await expect(open(token, { origin: 'https://elsewhere.example' })).rejects.toThrow('403');
  const first = await open(token);
  await first.over();
  first.socket.close();
  // A client that lost its connection receives the same import.
  const secondConnection = await open(token);
  await secondConnection.over();
  expect(secondConnection.last()).toEqual(first.last());
  secondConnection.socket.close();
  const unknown = await open('00000000-0000-4000-8000-000000000000');
  await unknown.over();
  expect(unknown.last()).toMatchObject({ action: 'error', payload: { error: { code: 'import_over' } } });
});

it('only one of several concurrent claims of an order succeeds, and none later', async () => {
  const log = createLog({ service: 'test', level: 'silent' });
  const redis = await connectRedis({ url: readTestServerAddresses().redisUrl, prefix: createUniqueName(), log });
  try {
    const orders = createPendingFileImportStore(redis);
    const placed = { userId: user.id, url: link('/film.mp4'), name: 'film.mp4', kind: 'video' };
    const token = await orders.place(placed);
    const taken = await Promise.all([orders.take(token), orders.take(token)]);
    expect(taken.filter((one) => one !== undefined)).toEqual([placed]);
    expect(await orders.take(token)).toBeUndefined();
  } finally {
    await closeRedis(redis);
  }
});
