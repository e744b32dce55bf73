import type { Bus } from '@nolo/kit/bus';
import { createAppError } from '@nolo/kit/errors';
import { createFakeClock } from '@nolo/testing';
import { createSessionCache, type LiveSession } from './sessionCache.ts';

const later = new Date('2027-01-01T00:00:00Z');
const annsSession: LiveSession = { sessionId: 's1', userId: 'ann', expiresAt: later };
const invalid = expect.objectContaining({ kind: 'unauthenticated', code: 'session_invalid' });

/** Creates a fake bus whose events the test controls. */
function talkingBus() {
  const handlers = new Set<(data: unknown) => void>();
  const reconnects = new Set<() => void>();
  const bus = {
    subscribe: (_subject: string, handler: (data: unknown) => void) => {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    onReconnect: (callback: () => void) => {
      reconnects.add(callback);
      return () => void reconnects.delete(callback);
    },
  } as unknown as Bus;
  return {
    bus,
    end: (userId: string, ...sessionIds: string[]) => handlers.forEach((handle) => handle({ userId, sessionIds })),
    reconnect: () => reconnects.forEach((callback) => callback()),
    listeners: () => handlers.size + reconnects.size,
  };
}

function underTest() {
  const clock = createFakeClock();
  const cache = createSessionCache({ clock });
  const { bus, ...wire } = talkingBus();
  const stop = cache.follow(bus);
  let loads = 0;
  const find = (token = 'a token', session = annsSession) =>
    cache.find(token, async () => {
      loads += 1;
      return session;
    });
  return { clock, cache, wire, stop, find, loads: () => loads };
}

describe('createSessionCache', () => {
  it('asks once per ten seconds', async () => {
    const { clock, find, loads } = underTest();
    expect(await find()).toEqual(annsSession);
    clock.advance(9_999);
    expect(await find()).toEqual(annsSession);
    expect(loads()).toBe(1);
    clock.advance(1);
    await find();
    expect(loads()).toBe(2);
  });

  it('asks once for concurrent requests, and never caches a failure', async () => {
    const { cache } = underTest();
    let loads = 0;
    const failing = () => {
      loads += 1;
      return Promise.reject(createAppError('unavailable', 'service_unavailable', 'Away.'));
    };
    const answers = await Promise.allSettled([cache.find('t', failing), cache.find('t', failing)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(loads).toBe(1);
    expect(await cache.find('t', async () => annsSession)).toEqual(annsSession);
  });

  it('does not outlive the session', async () => {
    const { clock, find, loads } = underTest();
    const ending = { ...annsSession, expiresAt: new Date(clock.now().getTime() + 3_000) };
    await find('a token', ending);
    clock.advance(3_000);
    await find('a token', ending);
    expect(loads()).toBe(2);
  });

  it('rejects a session once it is reported ended, whatever outdated answers contain', async () => {
    const { clock, wire, find } = underTest();
    await find();
    await find('another token', { ...annsSession, sessionId: 's2' });
    wire.end('ann', 's1');
    await expect(find()).rejects.toEqual(invalid);
    expect(await find('another token')).toMatchObject({ sessionId: 's2' });
    // Identity's own cache may report the session as live a little longer.
    clock.advance(30_000);
    await expect(find()).rejects.toEqual(invalid);
  });

  it('ignores an answer that was in flight when the session ended', async () => {
    const { cache, wire } = underTest();
    const { promise, resolve } = Promise.withResolvers<LiveSession>();
    const answer = cache.find('t', () => promise);
    wire.end('ann', 's1');
    resolve(annsSession);
    await expect(answer).rejects.toEqual(invalid);
    await expect(cache.find('t', async () => annsSession)).rejects.toEqual(invalid);
  });

  it('refetches only the account whose sessions were changed here', async () => {
    const { cache, find, loads } = underTest();
    const bens = { ...annsSession, sessionId: 's9', userId: 'ben' };
    await find();
    await find('bens token', bens);
    const { promise, resolve } = Promise.withResolvers<LiveSession>();
    const outdated = cache.find('under way', () => promise);
    cache.recheck('ann');
    resolve({ ...annsSession, sessionId: 's3' });
    await outdated;
    await find();
    await find('bens token', bens);
    await find('under way');
    expect(loads()).toBe(4);
  });

  it('is cleared when NATS reconnects, because events may have been missed', async () => {
    const { wire, find, loads } = underTest();
    await find();
    wire.reconnect();
    await find();
    expect(loads()).toBe(2);
  });

  it('keeps at most the ten thousand latest sessions', async () => {
    const { find, loads } = underTest();
    for (let token = 0; token <= 10_000; token += 1) await find(`token ${token}`);
    await find('token 1');
    expect(loads()).toBe(10_001);
    await find('token 0');
    expect(loads()).toBe(10_002);
  });

  it('stops listening to the bus', () => {
    const { wire, stop } = underTest();
    expect(wire.listeners()).toBe(2);
    stop();
    expect(wire.listeners()).toBe(0);
  });
});
