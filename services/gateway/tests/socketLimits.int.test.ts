import { randomUUID } from 'node:crypto';
import { closeCodes, type ClientEventName } from '@nolo/api';
import { limits, rateLimits, socketEventLimits, socketLimits, type SocketEventLimit } from '@nolo/rules';
import { TestSocket, type TestUser } from '@nolo/testing';
import { WebSocket } from 'ws';
import { productionModeEnvironment, startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let other: TestUser;

beforeAll(async () => {
  gateway = await startGateway({ ...productionModeEnvironment, TRUST_PROXY: '1' });
  other = await gateway.signUp();
});
beforeEach(async () => {
  // Budgets belong to an account, so each test uses its own.
  user = await gateway.signUp();
});
afterEach(async () => {
  await user.disconnect();
  await other.disconnect();
});
afterAll(() => gateway.stop());

const filled = (bytes: number) => 'x'.repeat(bytes);
const code = (value: string) => (data: Record<string, unknown>) => data['code'] === value;

async function opened(who: TestUser): Promise<TestSocket> {
  const socket = await who.connectSocket();
  await socket.next('hello');
  return socket;
}

describe('the size of a frame', () => {
  it('is limited per event, whatever else the frame contains', async () => {
    const socket = await opened(user);
    const over = filled(socketEventLimits.ping.bytes);
    for (const [text, id] of [
      [`{"type":"ping","id":"1","data":{"x":"${over}"}}`, '1'],
      [`{"id":"1","type":"ping","data":{"x":"${over}"}}`, '1'],
      // Parsers use the last of two members with the same name.
      [`{"type":"join_meeting","id":"1","data":{"x":"${over}"},"type":"ping"}`, '1'],
      [`{"data":{"x":"${over}"},"id":"1","type":"ping"}`, undefined],
    ] as const) {
      socket.sendRaw(text);
      expect((await socket.next('error', code('frame_too_large'))).id).toBe(id);
    }
    expect((await socket.request('ping')).type).toBe('ack');
  });

  it('is rejected before parsing, by the type at its beginning', async () => {
    const socket = await opened(user);
    // Malformed JSON throughout.
    socket.sendRaw(`{"type":"ping","id":"2"${filled(2_000)}`);
    expect((await socket.next('error')).data['code']).toBe('frame_too_large');
    socket.sendRaw(`{"data":{}${filled(socketLimits.plainFrameBytes)}`);
    expect((await socket.next('error')).data['code']).toBe('frame_too_large');
    socket.sendRaw(`{"type":"join_meeting"${filled(5_000)}`);
    expect((await socket.next('error')).data['code']).toBe('frame_malformed');
  });

  it('leaves room for a message', async () => {
    const socket = await opened(user);
    const content = filled(limits.messageContentBytes);
    const answer = await socket.request('group_chat_message', { conversationId: randomUUID(), content });
    expect(answer.data['code']).toBe('conversation_not_found');
  });
});

it('rejects frames too deep or with too many entries, and continues', async () => {
  const socket = await opened(user);
  for (const value of ['['.repeat(5_000) + ']'.repeat(5_000), JSON.stringify(Array(limits.jsonEntries).fill(1))]) {
    socket.sendRaw(`{"type":"join_meeting","id":"x","data":{"roomCode":"ABC234","rtpCapabilities":{"a":${value}}}}`);
    expect(await socket.next('error')).toMatchObject({ id: 'x', data: { code: 'json_too_complex' } });
  }
  expect((await socket.request('ping')).type).toBe('ack');
});

describe('the volume an account can send', () => {
  it('is limited in bytes across its sockets, including reopened ones, without affecting others', async () => {
    const [first, second, bystander] = [await opened(user), await opened(user), await opened(other)];
    const content = filled(60_000);
    const send = (socket: TestSocket) => socket.send('group_chat_message', { conversationId: randomUUID(), content });
    const whole = Math.ceil(socketLimits.bytesPerUser.burst / content.length);
    for (let sent = 0; sent < whole; sent += 1) [first, second].forEach(send);
    for (const socket of [first, second]) {
      expect((await socket.next('error', code('rate_limited'))).data['retryAfterMs']).toBeGreaterThan(0);
    }
    const secondConnection = await opened(user);
    for (let sent = 0; sent < whole; sent += 1) send(secondConnection);
    await secondConnection.next('error', code('rate_limited'));
    // Small frames still pass.
    expect((await secondConnection.request('ping')).type).toBe('ack');
    send(bystander);
    expect((await bystander.next('error')).data['code']).toBe('conversation_not_found');
  });

  it('is limited in cost across its sockets', async () => {
    const [first, second, bystander] = [await opened(user), await opened(user), await opened(other)];
    const join = { roomCode: 'NOBODY', rtpCapabilities: { a: Array(1_900).fill(1) } };
    const perFrame = socketEventLimits.join_meeting.cost + 19;
    const affordable = Math.floor(socketLimits.costPerUser.burst / perFrame);
    // Each socket alone would stay below the limit.
    const each = Math.floor(affordable * 0.9);
    for (let sent = 0; sent < each; sent += 1) for (const socket of [first, second]) socket.send('join_meeting', join);
    const refused = await Promise.any([first, second].map((socket) => socket.next('error', code('rate_limited'))));
    expect(refused.data['retryAfterMs']).toBeGreaterThan(0);
    expect((await bystander.request('join_meeting', join)).data['code']).not.toBe('rate_limited');
  });

  const off: Partial<Record<ClientEventName, Record<string, unknown>>> = {
    leave_conversation: { conversationId: randomUUID() },
    leave_group_chat: { conversationId: randomUUID() },
    typing_stop: { conversationId: randomUUID() },
    leave_meeting: {},
    meeting_audio_toggle: { enabled: false },
    meeting_video_toggle: { enabled: false },
    meeting_screenshare_toggle: { enabled: false },
    meeting_hand_toggle: { raised: false },
    meeting_recording_toggle: { enabled: false },
    media_close_producer: { producerId: 'one' },
    call_end: {},
  };
  const inRoom = { roomCode: 'NOBODY', participantId: randomUUID() };

  it('leaves room to turn something off, even with frames, bytes and cost exhausted', async () => {
    const ending = Object.entries<SocketEventLimit>(socketEventLimits).filter(([, limit]) => limit.ends !== undefined);
    expect(ending.map(([name]) => name).toSorted()).toEqual(Object.keys(off).toSorted());
    const limited = code('rate_limited');
    const join = { roomCode: 'NOBODY', rtpCapabilities: { a: Array(1_900).fill(1) } };
    const spenders: Record<string, (socket: TestSocket) => void> = {
      cost: (socket) => socket.send('join_meeting', join),
      bytes: (socket) => socket.send('group_chat_message', { conversationId: randomUUID(), content: filled(60_000) }),
      frames: (socket) => socket.sendRaw('{}'),
    };
    for (const [what, spend] of Object.entries(spenders)) {
      const person = await gateway.signUp();
      const socket = await opened(person);
      const asks = async () => (await socket.request('join_meeting', join)).data['code'];
      for (let sent = 0; sent < 60; sent += 1) spend(socket);
      await socket.next('error', limited);
      for (const [name, data] of Object.entries(off) as [ClientEventName, object][]) {
        const answer = await socket.request(name, { ...inRoom, ...data });
        expect([what, name, answer.data['code']]).not.toEqual([what, name, 'rate_limited']);
      }
      // Frames that turn something on are refused as before, and so are excess frames that turn something off.
      for (let sent = 0; sent < 60; sent += 1) spend(socket);
      const on = await socket.request('meeting_audio_toggle', { ...inRoom, enabled: true });
      if (what === 'frames') expect(on.data['code']).toBe('rate_limited');
      else if (what === 'cost') expect(await asks()).toBe('rate_limited');
      await person.disconnect();
    }
  });

  it('counts protocol pings as frames', async () => {
    const url = `${gateway.url.replace('http', 'ws')}/ws`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${user.api.token ?? ''}` } });
    let pongs = 0;
    socket.on('pong', () => (pongs += 1));
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('open', resolve));
    for (let count = 0; count < 1_000; count += 1) socket.ping();
    const closed = await new Promise<number>((resolve) => socket.once('close', resolve));
    expect(closed).toBe(closeCodes.misbehaved);
    expect(pongs).toBeGreaterThanOrEqual(socketLimits.framesPerSocket.burst);
    expect(pongs).toBeLessThan(200);
  });
});

it('limits the sockets open at once, however fast they are requested', async () => {
  const attempts = Array.from({ length: socketLimits.openPerUser + 10 }, () =>
    TestSocket.open(gateway.url, user.api.token).catch((error: unknown) => String(error)),
  );
  const answers = await Promise.all(attempts);
  const open = answers.filter((answer) => answer instanceof TestSocket);
  expect(open).toHaveLength(socketLimits.openPerUser);
  expect(answers.filter((answer) => typeof answer === 'string' && answer.includes('429'))).toHaveLength(10);
  await open[0]?.close();
  await expect(TestSocket.open(gateway.url, user.api.token)).resolves.toBeInstanceOf(TestSocket);
  await Promise.all(open.map((socket) => socket.close()));
});

it('counts unauthenticated upgrades against their address, whatever they claim', async () => {
  const upgrade = (path: string, address: string) =>
    new Promise<number | undefined>((resolve) => {
      const socket = new WebSocket(gateway.url.replace('http', 'ws') + path, {
        headers: { 'x-forwarded-for': address },
      });
      socket.once('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.on('error', () => undefined);
      socket.once('unexpected-response', (_request, response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
  const paths: [path: string, status: number][] = [
    [`/api/${randomUUID()}`, 101],
    ['/elsewhere', 404],
    ['/ws', 401],
  ];
  for (const [index, [path, status]] of paths.entries()) {
    const address = `192.0.2.${index + 1}`;
    await gateway.spend('requestsPerAddress', address, rateLimits.requestsPerAddress.points - 1);
    expect([await upgrade(path, address), await upgrade(path, address)]).toEqual([status, 429]);
  }
});
