import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createMeterStore } from '../src/store/meterStore.ts';
import { startBilling, type TestBilling } from './startBilling.ts';

let nolo: TestBilling;
beforeAll(async () => {
  nolo = await startBilling();
});
afterAll(() => nolo.stop());

const feature = 'scheduledPosts';
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );
const usedBy = async (userId: string, what = feature) =>
  (await nolo.entitlements.getEntitlements({ userId })).limits.find((one) => one.feature === what)?.used;

/** Runs up to 32 calls at a time, as many as there are writers. */
async function by32<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const writer = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 32 }, writer));
}

test('each post counts once, and one beyond the plan is refused with all details needed to upgrade', async () => {
  const userId = randomUUID();
  const ids = Array.from({ length: 3 }, () => randomUUID());
  for (const reservationId of [...ids, ...ids]) {
    await nolo.entitlements.reserveUsage({ userId, feature, amount: 1, reservationId, at: undefined });
  }
  expect(await usedBy(userId)).toBe(3);
  const beyond = nolo.entitlements.reserveUsage({
    userId,
    feature,
    amount: 1,
    reservationId: randomUUID(),
    at: undefined,
  });
  await expect(beyond).rejects.toMatchObject({
    kind: 'plan_limited',
    code: 'usage_exceeded',
    details: { feature, limit: 3, used: 3, liftedBy: ['plus', 'business'], addOn: null },
  });

  // A released reservation makes room for another.
  await nolo.entitlements.releaseUsage({ userId, feature, reservationId: ids[0] ?? '', committed: false });
  const retryRequest = { userId, feature, amount: 1, reservationId: randomUUID(), at: undefined };
  expect(await nolo.entitlements.reserveUsage(retryRequest)).toMatchObject({ used: 3, limit: 3 });
  await nolo.buy(userId, 'plus');
  expect(await nolo.entitlements.reserveUsage({ ...retryRequest, reservationId: randomUUID() })).toMatchObject({
    used: 4,
    limit: 30,
  });
});

test('32 concurrent writers never reserve more than the limit, however often each retries', async () => {
  const userId = randomUUID();
  const ids = Array.from({ length: 64 }, () => randomUUID());
  const granted = new Set<string>();
  await by32([...ids, ...ids], async (reservationId) => {
    const refused = await codeOf(
      nolo.entitlements.reserveUsage({ userId, feature, amount: 1, reservationId, at: undefined }),
    );
    if (refused === undefined) granted.add(reservationId);
    else expect(refused).toBe('usage_exceeded');
  });
  expect(granted.size).toBe(3);
  expect(await usedBy(userId)).toBe(3);
});

test('meters match the reservations after 32 concurrent writers in any order', async () => {
  const step = fc.record({
    place: fc.nat({ max: 7 }),
    does: fc.constantFrom('reserve' as const, 'commit' as const, 'release' as const, 'give back' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const userId = randomUUID();
      const ids = Array.from({ length: 8 }, () => randomUUID());
      const transcription = { userId, feature: 'transcriptionSeconds' };
      await by32(steps, async ({ place, does }) => {
        const one = { ...transcription, reservationId: ids[place] ?? '' };
        if (does === 'reserve') await nolo.entitlements.reserveUsage({ ...one, amount: 10 + place, at: undefined });
        if (does === 'release') await nolo.entitlements.releaseUsage({ ...one, committed: false });
        if (does === 'give back') await nolo.entitlements.releaseUsage({ ...one, committed: true });
        if (does === 'commit') await codeOf(nolo.entitlements.commitUsage({ ...one, amount: 5 }));
      });
      const rows = (await nolo.db('reservations').where({ user_id: userId })) as { state: string; amount: number }[];
      const sum = rows.reduce((total, { state, amount }) => (state === 'released' ? total : total + amount), 0);
      expect(await usedBy(userId, 'transcriptionSeconds')).toBe(sum);
    }),
    { numRuns: 15 },
  );
  expect(await createMeterStore(nolo.db).differences()).toEqual([]);
});

test('the final amount is what counts, and the rest is released', async () => {
  const userId = randomUUID();
  const one = { userId, feature: 'transcriptionSeconds', reservationId: randomUUID() };
  await nolo.entitlements.reserveUsage({ ...one, amount: 600, at: undefined });
  expect(await nolo.entitlements.commitUsage({ ...one, amount: 45 })).toMatchObject({ used: 45, limit: 1_800 });
  expect(await nolo.entitlements.commitUsage({ ...one, amount: 600 })).toMatchObject({ used: 45 });
  await nolo.entitlements.releaseUsage({ ...one, committed: false });
  expect(await usedBy(userId, 'transcriptionSeconds')).toBe(45);
  expect(await codeOf(nolo.entitlements.commitUsage({ ...one, reservationId: randomUUID(), amount: 1 }))).toBe(
    'reservation_not_found',
  );
  // Reservation IDs of another person are unknown.
  expect(await codeOf(nolo.entitlements.commitUsage({ ...one, userId: randomUUID(), amount: 1 }))).toBe(
    'reservation_not_found',
  );
});

test('a committed use is released once when its post is deleted, and counts again if rescheduled', async () => {
  const userId = randomUUID();
  const ids = Array.from({ length: 3 }, () => randomUUID());
  for (const reservationId of ids) {
    await nolo.entitlements.reserveUsage({ userId, feature, amount: 1, reservationId, at: undefined });
    await nolo.entitlements.commitUsage({ userId, feature, amount: 1, reservationId });
  }
  const deleted = { userId, feature, reservationId: ids[0] ?? '' };
  // A committed use stays unless the caller states that it will not happen.
  await nolo.entitlements.releaseUsage({ ...deleted, committed: false });
  expect(await usedBy(userId)).toBe(3);
  for (let time = 0; time < 2; time += 1) {
    expect(await nolo.entitlements.releaseUsage({ ...deleted, committed: true })).toMatchObject({ used: 2, limit: 3 });
  }
  await nolo.entitlements.reserveUsage({ ...deleted, amount: 1, at: undefined });
  expect(await nolo.entitlements.commitUsage({ ...deleted, amount: 1 })).toMatchObject({ used: 3 });
  expect(await createMeterStore(nolo.db).differences()).toEqual([]);
});

test('a month starts at local midnight, and a post counts in the month of its publication', async () => {
  const userId = randomUUID();
  await nolo.billing.getSubscription({ actorId: userId, timeZone: 'Pacific/Auckland' });
  nolo.clock.set('2026-11-30T10:30:00.000Z');
  expect(await nolo.entitlements.getEntitlements({ userId })).toMatchObject({
    month: '2026-11',
    monthEndsAt: new Date('2026-11-30T11:00:00.000Z'),
  });
  const at = new Date('2026-11-30T11:30:00.000Z');
  const ids = Array.from({ length: 4 }, () => randomUUID());
  for (const reservationId of ids.slice(0, 3)) {
    await nolo.entitlements.reserveUsage({ userId, feature, amount: 1, reservationId, at });
  }
  expect(await usedBy(userId)).toBe(0);
  const fourth = { userId, feature, amount: 1, reservationId: ids[3] ?? '', at };
  expect(await codeOf(nolo.entitlements.reserveUsage(fourth))).toBe('usage_exceeded');
  nolo.clock.set('2026-11-30T11:30:00.000Z');
  expect((await nolo.entitlements.getEntitlements({ userId })).month).toBe('2026-12');
  expect(await usedBy(userId)).toBe(3);
});

test('the latest report of a level counts', async () => {
  const userId = randomUUID();
  const level = { userId, feature: 'storageBytes' };
  await nolo.entitlements.reportLevel({ ...level, amount: 500, at: new Date('2026-11-20T12:00:00Z') });
  await nolo.entitlements.reportLevel({ ...level, amount: 900, at: new Date('2026-11-20T11:00:00Z') });
  expect(await usedBy(userId, 'storageBytes')).toBe(500);
});

test('an add-on whose feature is disabled is not sold', async () => {
  const actorId = randomUUID();
  await expect(nolo.order(actorId, 'transcription')).rejects.toMatchObject({
    kind: 'conflict',
    code: 'item_unavailable',
  });
  expect((await nolo.order(actorId, 'storage')).item).toBe('storage');
});

test('a use that cannot be counted is rejected with its own code', async () => {
  const userId = randomUUID();
  const reservationId = randomUUID();
  for (const wrong of [{ feature: 'participants' }, { amount: 0 }, { amount: -1 }, { reservationId: 'mine' }]) {
    const call = { userId, feature, amount: 1, reservationId, at: undefined, ...wrong };
    expect(await codeOf(nolo.entitlements.reserveUsage(call))).toBe('invalid_request');
  }
});
