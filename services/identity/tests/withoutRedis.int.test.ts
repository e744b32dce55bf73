import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { eventually, randomPhone, readTestServerAddresses } from '@nolo/testing';
import { testDevice, captureRefusal, startIdentity, type TestIdentity } from './startIdentity.ts';

/** Proxy to Redis, so that only this service can lose it. */
let proxy: Server;
let reachable = true;
const sockets = new Set<Socket>();
let identity: TestIdentity;

beforeAll(async () => {
  const redis = new URL(readTestServerAddresses().redisUrl);
  proxy = createServer((client) => {
    if (!reachable) return void client.destroy();
    const upstream = connect(Number(redis.port), redis.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const throughProxy = new URL(redis);
  throughProxy.hostname = '127.0.0.1';
  throughProxy.port = String((proxy.address() as AddressInfo).port);
  identity = await startIdentity({ REDIS_URL: throughProxy.href });
});
afterAll(async () => {
  await identity.stop();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
});

test('people stay signed in and see each other without Redis, and only codes must wait', async () => {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${identity.ports.metrics}/readyz`);
    const { checks } = (await response.json()) as { checks: { redis: { ok: boolean } } };
    return [response.status, checks.redis.ok];
  };
  expect(await ready()).toEqual([200, true]);
  reachable = false;
  for (const socket of sockets) socket.destroy();

  expect((await identity.client.authenticateSession({ token: ada.token })).userId).toBe(ada.id);
  const { users } = await identity.client.getUsers({ actorId: ada.id, userIds: [ben.id] });
  expect(users[0]).toMatchObject({ displayName: 'Ben', presenceStatus: 'offline' });
  await identity.client.updateProfile({ actorId: ada.id, firstName: 'Adele' });
  await identity.client.endSession({ actorId: ben.id, sessionId: ben.sessionId });
  const ended = identity.client.authenticateSession({ token: ben.token });
  expect(await captureRefusal(ended)).toMatchObject({ code: 'session_invalid' });
  // Uncounted limits would let codes be guessed, so sign-in refuses instead.
  const send = () => identity.client.sendCode({ phoneNumber: randomPhone(), device: testDevice });
  expect(await captureRefusal(send())).toMatchObject({ kind: 'unavailable', code: 'limits_unavailable' });
  // All replicas share Redis, so none is taken out of service.
  await eventually(async () => {
    expect(await ready()).toEqual([200, false]);
    return true;
  });

  reachable = true;
  await eventually(() => send());
  expect((await identity.client.authenticateSession({ token: ada.token })).userId).toBe(ada.id);
});
