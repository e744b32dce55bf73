import type { Bus } from '@nolo/kit/bus';
import {
  createEntitlementsLookup,
  entitlementsChangedSubject,
  usageMonthOf,
  type EntitlementsReply,
} from './entitlements.ts';
import { createAppError } from '@nolo/kit/errors';
import type { ServiceEvent } from '@nolo/kit/events';
import { createLog } from '@nolo/kit/log';

const everything = { posts: null, platforms: null };
const free = { posts: 3, platforms: 1 };
const ann = 'a0000000-0000-4000-8000-000000000001';
const month = { month: '2026-11', monthEndsAt: new Date('2026-12-01T00:00:00+02:00') };

/**
 * Simulates the buses of several processes that receive each other's messages, and a billing service that they query.
 */
function nolo() {
  let time = new Date('2026-11-23T12:00:00Z').getTime();
  const listeners: ((data: unknown) => void)[] = [];
  const reconnects: (() => void)[] = [];
  const bus = {
    publish: (_subject: string, data: unknown) => listeners.forEach((listen) => listen(data)),
    subscribe: (_subject: string, listen: (data: unknown) => void) => {
      listeners.push(listen);
      return () => undefined;
    },
    onReconnect: (listen: () => void) => {
      reconnects.push(listen);
      return () => undefined;
    },
  } as unknown as Bus;
  const state: { away: boolean; calls: number; reply: EntitlementsReply } = {
    away: false,
    calls: 0,
    reply: { plan: 'free', limits: [{ feature: 'posts', limit: 3 }], ...month },
  };
  const getEntitlements = async () => {
    state.calls += 1;
    if (state.away) throw createAppError('unavailable', 'service_unavailable', 'away');
    return state.reply;
  };
  const handlers: Record<string, (event: ServiceEvent) => Promise<void>>[] = [];
  const context = {
    bus,
    redis: undefined,
    clock: { now: () => new Date(time) },
    log: createLog({ service: 'test', level: 'silent' }),
    onStop: () => undefined,
    consume: (_source: string, _owner: unknown, given: (typeof handlers)[number]) => void handlers.push(given),
  };
  const events = { readEvents: () => Promise.reject(new Error('Nobody asks.')) };
  const process = (onChanged?: (userId: string) => Promise<void>) =>
    createEntitlementsLookup(context, {
      billing: { entitlements: { getEntitlements }, events },
      everything,
      free,
      ...(onChanged ? { onChanged } : {}),
    });
  return {
    ground: context,
    state,
    process,
    pass: (ms: number) => void (time += ms),
    reconnect: () => reconnects.forEach((listen) => listen()),
    /** Entitlements as one of the processes reads them. */
    deliverChange: async (userId: string) => {
      const data = { userId };
      await handlers[0]?.[entitlementsChangedSubject]?.({
        subject: entitlementsChangedSubject,
        data,
        id: 'one',
        attempt: 1,
      });
    },
  };
}

test('everyone has every feature when billing is not installed', async () => {
  const { ground: context } = nolo();
  const alone = createEntitlementsLookup(context, { billing: undefined, everything, free });
  expect((await alone(ann)).limits).toEqual(everything);
});

test('limits come from billing; a feature it does not list yet is unlimited', async () => {
  const of = nolo().process();
  expect(await of(ann)).toMatchObject({ plan: 'free', limits: { posts: 3, platforms: null } });
});

test('a change read by one process reaches all of them before the change handler runs', async () => {
  const { state, process, deliverChange } = nolo();
  const changed: string[] = [];
  const one = process(async (userId) => {
    const { plan } = await one(userId);
    changed.push(`${userId} ${plan}`);
  });
  const other = process();
  await Promise.all([one(ann), other(ann)]);
  state.reply = { ...state.reply, plan: 'plus' };
  expect((await other(ann)).plan).toBe('free');
  await deliverChange(ann);
  expect((await other(ann)).plan).toBe('plus');
  expect(changed).toEqual([`${ann} plus`]);
});

test('entitlements are refetched after the bus reconnects', async () => {
  const { state, process, reconnect } = nolo();
  const of = process();
  await of(ann);
  state.reply = { ...state.reply, plan: 'plus' };
  reconnect();
  expect((await of(ann)).plan).toBe('plus');
});

test('entitlements are refetched when they end; unknown users get the free plan', async () => {
  const { state, process, pass } = nolo();
  const of = process();
  state.reply = { ...state.reply, plan: 'plus', validUntil: new Date('2026-11-23T12:01:00Z') };
  expect((await of(ann)).plan).toBe('plus');
  pass(61_000);
  state.reply = { ...state.reply, plan: 'free', validUntil: undefined };
  expect((await of(ann)).plan).toBe('free');
  state.away = true;
  expect((await of('b0000000-0000-4000-8000-000000000002')).limits).toEqual(free);
});

test('the month follows the person’s time zone, even if it ends while billing is unreachable', () => {
  const known = { month: '2026-12', monthEndsAt: Date.parse('2027-01-01T00:00:00+02:00') };
  expect(usageMonthOf(known, new Date('2026-12-31T21:59:59Z'))).toBe('2026-12');
  expect(usageMonthOf(known, new Date('2026-12-31T22:00:00Z'))).toBe('2027-01');
  expect(usageMonthOf({ month: null, monthEndsAt: null }, new Date('2026-12-31T22:00:00Z'))).toBe('2026-12');
});
