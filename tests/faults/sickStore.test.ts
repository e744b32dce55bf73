import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nextCursorHeader, type Message } from '@nolo/api';
import { eventually, signUpByPhone, TestApi, type TestReply, type TestSocket, type TestUser } from '@nolo/testing';
import { findServerUser } from '../../scripts/backing/postgresBinaries.ts';
import { openAcceptedConversation, tinyPng } from '../support/authorization/authorizationCast.ts';
import { requireHealth } from '../support/stacks/faultStack.ts';
import { startStoreFailureStack, type StoreFailureStack } from '../support/stacks/storeFailureStack.ts';
import { canMountDisks, mountSmallDisk, type SmallDisk } from '../support/stacks/smallDisk.ts';

/**
 * Tests faults of a store: requests are refused in time and properly, features without the store work, and everything
 * recovers by itself.
 */

const mayMount = canMountDisks();
// Skipped: only root may mount a disk that is small enough to fill.
const testOnDisks = mayMount ? test : test.skip;
/** Longer than any timeout inside the services. */
const longestMs = 20_000;

let sick: StoreFailureStack;
let ann: TestUser;
let ben: TestUser;
let conversationId: string;
/** Socket that stays open from before the first fault to the end. */
let socket: TestSocket;
let pids: (number | undefined)[];
const disks: SmallDisk[] = [];
let filesDisk: SmallDisk | undefined;
const acknowledged = new Map<string, Message>();

beforeAll(async () => {
  sick = await startStoreFailureStack((home) => {
    if (!mayMount) return;
    filesDisk = mountSmallDisk(join(home, 'files'), '1m');
    disks.push(filesDisk);
  });
  const [first, second] = sick.urls as [string, string];
  [ann, ben] = await Promise.all([signUpByPhone(first), signUpByPhone(second)]);
  conversationId = await openAcceptedConversation(ann, ben);
  socket = await ben.connectSocket();
  await socket.next('hello');
  pids = sick.pids();
  // Queries readiness before any fault, as probes do from the start.
  for (const service of ['gateway', 'gateway2', 'identity', 'chat', 'files']) {
    await eventually(async () => (await sick.probe(service, '/readyz')) === 200);
  }
});

afterAll(async () => {
  await ben?.disconnect();
  for (const disk of disks) disk.remove();
  await sick?.stop();
});

/** Heals everything, so that a failed test leaves no faults to the next. */
afterEach(async () => {
  for (const disk of disks) disk.free();
  await sick?.heal();
});

async function timed(reply: Promise<TestReply>): Promise<TestReply> {
  const since = performance.now();
  const answer = await reply;
  expect(performance.now() - since).toBeLessThan(longestMs);
  return answer;
}

async function send(content: string, clientMessageId: string = randomUUID()): Promise<TestReply> {
  const reply = await timed(ann.api.post('/api/messages', { conversationId, content, clientMessageId }));
  if (reply.status === 201) acknowledged.set(clientMessageId, reply.body as Message);
  return reply;
}

function expectRefused(reply: TestReply, codes: readonly string[]): void {
  expect([reply.status, reply.body]).toEqual([503, expect.objectContaining({ code: expect.any(String) })]);
  expect(codes).toContain(reply.body.code);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

const away = ['storage_unavailable', 'service_timeout'];

/** Expects a message to arrive live, on the socket that was open all the time. */
async function expectLive(content: string): Promise<void> {
  const { status, body } = await send(content);
  expect([status, body]).toEqual([201, expect.objectContaining({ content })]);
  await socket.next('new_message', (data) => data.content === content);
}

/** Expects everything to be as before the fault, without any intervention. */
async function expectRecovered(refused: readonly string[] = []): Promise<void> {
  for (const url of sick.urls) await eventually(() => requireHealth(url));
  for (const id of refused) {
    await eventually(async () => (await send(`again ${id}`, id)).status === 201);
  }
  await expectLive(`well ${randomUUID()}`);
  const stored: Message[] = [];
  for (let more = true; more;) {
    const after = stored.at(-1)?.seq ?? 0;
    const { status, body, headers } = await ben.api.get(
      `/api/conversations/${conversationId}/messages?after=${after}&limit=100`,
    );
    expect(status).toBe(200);
    stored.push(...(body as Message[]));
    more = headers.has(nextCursorHeader);
  }
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  const ids = stored.map(({ clientMessageId }) => clientMessageId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [id, { seq }] of acknowledged) expect(stored[seq - 1]).toMatchObject({ clientMessageId: id });
  for (const id of refused) expect(ids).toContain(id);
  expect(sick.pids()).toEqual(pids);
  expect((await socket.request('ping')).type).toBe('ack');
}

async function expectAlive(): Promise<void> {
  for (const service of ['gateway', 'gateway2', 'identity', 'chat', 'files']) {
    expect([service, await sick.probe(service, '/livez')]).toEqual([service, 200]);
  }
}

describe('a broken Postgres', () => {
  test('is survived when it refuses connections', async () => {
    await expectLive('before');
    const id = randomUUID();
    await sick.backing.postgres.stop('immediate');
    expectRefused(await send('while it is away', id), away);
    expectRefused(await timed(ann.api.get('/api/conversations')), away);
    expectRefused(await timed(ann.api.get('/api/contacts')), away);
    await expectAlive();
    for (const service of ['gateway', 'chat', 'identity', 'files']) {
      // All replicas share the store: if they were all unready, nobody would get an answer.
      await eventually(async () => (await sick.dependencies(service))['postgres'] === 0);
      expect([service, await sick.probe(service, '/readyz')]).toEqual([service, 200]);
    }
    const health = await timed(new TestApi(sick.urls[0]!).get('/healthz'));
    expect([health.status, health.body.missing]).toEqual([503, expect.arrayContaining(['postgres'])]);
    // Requests that need no database.
    expect((await socket.request('ping')).type).toBe('ack');
    expect((await timed(ann.api.get('/api/config'))).status).toBe(200);
    await sick.backing.postgres.start();
    await expectRecovered([id]);
  });

  test('is survived when it has no connections left', async () => {
    const id = randomUUID();
    await sick.limitConnections(0);
    await eventually(async () => (await send('no place', id)).status === 503);
    expectRefused(await send('no place', id), ['storage_unavailable']);
    // Requests to another service.
    expect((await timed(ann.api.get('/api/contacts'))).status).toBe(200);
    await sick.limitConnections(-1);
    await expectRecovered([id]);
  });

  test('is survived when a lock is held longer than a statement may take', async () => {
    const id = randomUUID();
    const holder = await sick.admin.transaction();
    await holder.raw('lock table messages in exclusive mode');
    expectRefused(await send('behind a lock', id), away);
    expect((await timed(ann.api.get(`/api/conversations/${conversationId}/messages`))).status).toBe(200);
    await holder.rollback();
    await expectRecovered([id]);
  });

  test('is survived when it does not respond', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    sick.proxy.freeze();
    // Concurrent requests, more than one conversation's share of the pool.
    for (const reply of await Promise.all(ids.map((id) => send('into the void', id)))) expectRefused(reply, away);
    expectRefused(await timed(ann.api.get('/api/conversations')), away);
    await expectAlive();
    expect((await socket.request('ping')).type).toBe('ack');
    sick.proxy.mend();
    await expectRecovered(ids);
  });

  test('is survived when it is slow', async () => {
    sick.proxy.slow({ latencyMs: 150, bytesPerSecond: 1e6 });
    await expectLive('slowly');
    sick.proxy.mend();
    await expectRecovered();
  });

  testOnDisks(
    'is survived when its disk is full',
    async () => {
      const disk = mountSmallDisk(join(sick.filesFolder, '../small'), '4m', findServerUser());
      disks.push(disk);
      const place = join(sick.filesFolder, '../small/space');
      await sick.admin.raw(`copy (select 1) to program 'mkdir "${place}"'`);
      await sick.admin.raw(`create tablespace small location '${place}'`);
      await sick.admin.raw('alter table messages set tablespace small');
      const long = () => randomBytes(20_000).toString('base64');
      expect((await send(long())).status).toBe(201);
      disk.fill();
      const id = randomUUID();
      await eventually(async () => (await send(long())).status === 503);
      expectRefused(await send(long(), id), ['storage_unavailable']);
      // Reading works on a full disk, and nobody is disconnected.
      expect((await timed(ann.api.get(`/api/conversations/${conversationId}/messages`))).status).toBe(200);
      expect((await timed(ann.api.get('/api/contacts'))).status).toBe(200);
      await expectAlive();
      disk.free();
      await expectRecovered([id]);
      await sick.admin.raw('alter table messages set tablespace pg_default');
      await sick.admin.raw('drop tablespace small');
    },
    60_000,
  );
});

describe('a broken Redis', () => {
  test('is survived when it has no memory left', async () => {
    await sick.redis.config('SET', 'maxmemory', 1);
    await expectLive('without a place for counters');
    // A user whose lease cannot be written still gets messages.
    const late = await ann.connectSocket();
    await late.next('hello');
    await eventually(async () => {
      const content = `to the late one ${randomUUID()}`;
      expect((await send(content)).status).toBe(201);
      return await late.next('new_message', (data) => data.content === content, 1_000);
    });
    // Sign-in fails closed, because without limits codes could be guessed.
    const code = { type: 'sms', phoneNumber: '+27821234567' };
    expectRefused(await timed(new TestApi(sick.urls[0]!).post('/api/verification/send', code)), ['limits_unavailable']);
    await expectAlive();
    await sick.redis.config('SET', 'maxmemory', 0);
    await ann.disconnect();
    await expectRecovered();
  });

  test('is survived when it is frozen', async () => {
    sick.freeze('redis');
    await expectLive('past a frozen cache');
    // Redis is treated as down after the first timeout, and requests no longer wait for it.
    await eventually(async () => {
      const since = performance.now();
      await expectLive(`quickly past it ${randomUUID()}`);
      return performance.now() - since < 1_000;
    });
    await expectAlive();
    await eventually(async () => (await sick.dependencies('gateway'))['redis'] === 0);
    expect(await sick.probe('gateway', '/readyz')).toBe(200);
    sick.thaw('redis');
    await expectRecovered();
  });
});

describe('a broken NATS', () => {
  test('is survived when it is frozen', async () => {
    const content = `while nobody can be told ${randomUUID()}`;
    sick.freeze('nats');
    expect((await send(content)).status).toBe(201);
    expect((await socket.request('ping')).type).toBe('ack');
    await expectAlive();
    sick.thaw('nats');
    await socket.next('new_message', (data) => data.content === content);
    await expectRecovered();
  });
});

testOnDisks(
  'a full folder of files rejects an upload, keeps nothing of it, and accepts the next once there is room',
  async () => {
    const { body } = await ann.api.post('/api/objects/upload');
    const { pathname, search } = new URL(body.uploadURL as string);
    const bytes = Buffer.concat([tinyPng, randomBytes(60_000)]);
    const put = () =>
      timed(
        new TestApi(ann.api.baseUrl).put(pathname + search, bytes, {
          headers: { 'content-type': 'application/octet-stream' },
        }),
      );
    filesDisk!.fill();
    expectRefused(await put(), ['storage_full']);
    const kept = ['temporary', 'uploads']
      .map((name) => join(sick.filesFolder, name))
      .filter((path) => existsSync(path));
    expect(
      kept.flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()),
    ).toEqual([]);
    filesDisk!.free();
    expect((await put()).status).toBe(200);
    await expectRecovered();
  },
  60_000,
);
