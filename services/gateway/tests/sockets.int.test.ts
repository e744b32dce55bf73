import { once } from 'node:events';
import { connect } from 'node:net';
import { closeCodes } from '@nolo/api';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { limits } from '@nolo/rules';
import { eventually, TestSocket, readTestServerAddresses, type TestUser } from '@nolo/testing';
import { startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let other: TestUser;
let conversationId: string;

beforeAll(async () => {
  gateway = await startGateway();
  user = await gateway.signUp();
  other = await gateway.signUp();
  conversationId = (await user.api.post('/api/conversations', { otherUserId: other.id })).body.id as string;
});
afterEach(async () => {
  await user.disconnect();
  await other.disconnect();
});
afterAll(() => gateway.stop());

const frame = { type: 'contacts_changed', data: {} };

describe('the upgrade', () => {
  it('closes connections of rejected clients that do not hang up', async () => {
    const { port } = new URL(gateway.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.resume();
    await once(socket, 'end');
    const gone = once(socket, 'error');
    const writing = setInterval(() => socket.write('x'), 20);
    const [error] = (await gone) as [NodeJS.ErrnoException];
    clearInterval(writing);
    expect(['ECONNRESET', 'EPIPE']).toContain(error.code);
  });

  it('answers requests normally if they offer another protocol upgrade', async () => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /api/config HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    const [reply] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(reply.toString()).toMatch(/^HTTP\/1.1 200 /);
  });

  it('survives connections that break off midway', async () => {
    const { port } = new URL(gateway.url);
    const request = `GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${user.api.token ?? ''}\r\n\r\n`;
    for (let round = 0; round < 20; round += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(request, () => socket.destroy());
    }
    await (await user.connectSocket()).next('hello');
  });
});

describe('frames', () => {
  it.each([
    ['{"type":', 'frame_malformed'],
    ['[]', 'frame_malformed'],
    ['null', 'frame_malformed'],
    ['{"type":1}', 'frame_malformed'],
    ['{}', 'frame_malformed'],
    ['"text"', 'frame_malformed'],
    ['no json', 'frame_malformed'],
    ['', 'frame_malformed'],
    ['{"type":"ping","data":[]}', 'frame_malformed'],
    ['{"type":"ping","id":7}', 'frame_malformed'],
    [`{"type":"${'x'.repeat(65)}"}`, 'frame_malformed'],
    ['{"type":"__proto__"}', 'event_unknown'],
    ['{"type":"new_message","data":{}}', 'event_unknown'],
    ['{"type":"typing_start","data":{}}', 'invalid_input'],
    ['{"type":"join_conversation","data":{"conversationId":"x"}}', 'invalid_input'],
  ])('answers %s with %s', async (text, code) => {
    const socket = await user.connectSocket();
    socket.sendRaw(text);
    expect((await socket.next('error')).data.code).toBe(code);
    expect((await socket.request('ping')).type).toBe('ack');
  });

  it('closes on an oversized frame', async () => {
    const large = await user.connectSocket();
    const secondSocket = await user.connectSocket();
    large.sendRaw(JSON.stringify({ type: 'ping', data: { filler: 'x'.repeat(limits.socketFrameBytes) } }));
    expect((await large.closed).code).toBe(1009);
    expect((await secondSocket.request('ping')).type).toBe('ack');
  });

  it('throttles a flood, and closes the socket if it continues', async () => {
    const socket = await user.connectSocket();
    for (let count = 0; count < 60; count += 1) socket.send('ping');
    const refused = await socket.next('error', (data) => data.code === 'rate_limited');
    expect(refused.data.retryAfterMs).toBeGreaterThan(0);
    for (let count = 0; count < 1_000; count += 1) socket.send('ping');
    expect((await socket.closed).code).toBe(closeCodes.misbehaved);
  });
});

describe('deliveries', () => {
  it('reach every socket of the recipients and nobody else, byte for byte', async () => {
    const [first, second] = [await user.connectSocket(), await user.connectSocket()];
    const bystander = await other.connectSocket();
    await Promise.all([first, second, bystander].map((socket) => socket.next('hello')));
    const content = 'ünïcödé 🙂 '.repeat(10_000);
    gateway.deliver({ recipients: [user.id, 'nobody'], frame: { type: 'new_message', data: { content } } });
    for (const socket of [first, second]) expect((await socket.next('new_message')).data.content).toBe(content);
    gateway.deliver({ recipients: [other.id], frame });
    await bystander.next('contacts_changed');
    expect(bystander.frames.map(({ type }) => type)).toEqual(['hello', 'contacts_changed']);
  });

  it('keep their order among other frames', async () => {
    const socket = await user.connectSocket();
    await socket.next('hello');
    for (let count = 0; count < 40; count += 1) {
      gateway.deliver({ recipients: [user.id], frame: { type: 'receipt', data: { count } } });
      if (count % 4 === 0) socket.send('ping');
    }
    await socket.next('receipt', (data) => data.count === 39);
    const counts = socket.frames.filter(({ type }) => type === 'receipt').map(({ data }) => data.count);
    expect(counts).toEqual(Array.from({ length: 40 }, (_, count) => count));
  });

  it('reach the sockets that joined their scope', async () => {
    const [joined, idle] = [await user.connectSocket(), await user.connectSocket()];
    await idle.next('hello');
    await joined.request('join_conversation', { conversationId });
    const typing = { type: 'typing_start', data: { conversationId, userId: other.id } };
    gateway.deliver({ recipients: [user.id], frame: typing, scope: conversationId });
    await joined.next('typing_start');
    await joined.request('leave_conversation', { conversationId });
    gateway.deliver({ recipients: [user.id], frame: typing, scope: conversationId });
    gateway.deliver({ recipients: [user.id], frame });
    await Promise.all([joined.next('contacts_changed'), idle.next('contacts_changed')]);
    expect(joined.frames.filter(({ type }) => type === 'typing_start')).toHaveLength(1);
    expect(idle.frames.filter(({ type }) => type === 'typing_start')).toHaveLength(0);
  });

  it('reach every replica when broadcast', async () => {
    const socket = await user.connectSocket();
    await socket.next('hello');
    gateway.bus.publish('gateway.all.deliver', { recipients: [user.id], frame: { type: 'self_changed', data: {} } });
    await socket.next('self_changed');
    expect(socket.frames.map(({ type }) => type)).toEqual(['hello', 'self_changed']);
  });

  it('survive malformed bus messages', async () => {
    const socket = await user.connectSocket();
    await socket.next('hello');
    for (const nonsense of [null, {}, { recipients: 'x' }, { recipients: [user.id] }]) {
      gateway.bus.publish('gateway.all.deliver', nonsense);
    }
    gateway.deliver({ recipients: [user.id], frame });
    await socket.next('contacts_changed');
  });

  it('abandon a socket that does not read', async () => {
    const slow = await gateway.signUp();
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const upgrade = [
      'GET /ws HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `Authorization: Bearer ${slow.api.token ?? ''}`,
    ];
    socket.write(`${upgrade.join('\r\n')}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const healthy = await slow.connectSocket();
    await healthy.next('hello');
    const filler = 'x'.repeat(200_000);
    for (let count = 0; count < 60; count += 1) {
      gateway.deliver({ recipients: [slow.id], frame: { type: 'new_message', data: { count, filler } } });
      await healthy.next('new_message', (data) => data.count === count);
    }
    await eventually(async () => {
      const metrics = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
      return /nolo_sockets_open\{[^}]*\} 1\n/.test(metrics);
    });
    socket.destroy();
    await slow.disconnect();
  });
});

describe('typing', () => {
  it('ends on its own, on leaving, and with the socket', async () => {
    const { typing } = gateway.chat;
    const last = () => typing.at(-1);
    const socket = await user.connectSocket();
    await socket.request('typing_start', { conversationId });
    expect(last()).toMatchObject({ actorId: user.id, conversationId, typing: true });
    await eventually(() => last()?.typing === false);
    await socket.request('typing_start', { conversationId });
    await socket.request('leave_conversation', { conversationId });
    expect(last()?.typing).toBe(false);
    const begunAt = performance.now();
    await socket.request('typing_start', { conversationId });
    socket.cut();
    await eventually(() => last()?.typing === false);
    // Ends sooner than by timeout.
    expect(performance.now() - begunAt).toBeLessThan(limits.typingTimeoutMs);
  });
});

describe('sessions', () => {
  it('close only their own sockets when they end', async () => {
    const [kept, ended] = [await user.connectSocket(), await other.connectSocket()];
    await kept.next('hello');
    const { data } = await ended.next('hello');
    const secondConnection = await TestSocket.open(gateway.url, other.api.token);
    await secondConnection.next('hello');
    gateway.bus.publish('gateway.all.session_ended', { userId: other.id, sessionIds: [data.sessionId] });
    await Promise.all([ended.next('session_ended'), secondConnection.next('session_ended')]);
    expect((await ended.closed).code).toBe(closeCodes.sessionEnded);
    expect((await secondConnection.closed).code).toBe(closeCodes.sessionEnded);
    expect((await kept.request('ping')).type).toBe('ack');
  });
});

describe('presence', () => {
  it('is leased in Redis, and reported once for the first and the last socket', async () => {
    const log = createLog({ service: 'test', level: 'silent' });
    const redis = await connectRedis({ url: readTestServerAddresses().redisUrl, log });
    const person = await gateway.signUp();
    const reports = () =>
      gateway.identity.connectionReports.filter(({ userId }) => userId === person.id).map(({ connected }) => connected);
    const leases = async () => (await redis.keys(`*lease:${person.id}`)).length;
    try {
      const [first, second] = [await person.connectSocket(), await person.connectSocket()];
      await Promise.all([first.next('hello'), second.next('hello')]);
      expect(await leases()).toBe(1);
      await first.close();
      await eventually(() => reports().length === 1);
      await second.close();
      await eventually(() => reports().length === 2);
      expect(reports()).toEqual([true, false]);
      await eventually(async () => (await leases()) === 0);
    } finally {
      await closeRedis(redis);
    }
  });
});
