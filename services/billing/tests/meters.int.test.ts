import { randomUUID } from 'node:crypto';
import { createLog } from '@nolo/kit/log';
import type { UserId } from '@nolo/kit/ids';
import fc from 'fast-check';
import type { ReportedUse, MeterSources } from '../src/domain/meterSources.ts';
import { reconcileFeatureMeters } from '../src/jobs/reconcileFeatureMeters.ts';
import { createMeterAdjustmentStore } from '../src/store/meterAdjustmentStore.ts';
import { createMeterStore } from '../src/store/meterStore.ts';
import { operatorCaller, startBilling, type TestBilling } from './startBilling.ts';

/** Tests that meters are compared with the services' data. */

const feature = 'transcriptionSeconds';
const hourMs = 3_600_000;
let nolo: TestBilling;
beforeAll(async () => {
  nolo = await startBilling();
});
afterAll(() => nolo.stop());

/** Fakes of a service that counts and of one that stores files. */
function services() {
  const uses = new Map<string, ReportedUse>();
  const levels = new Map<string, number>();
  const keptSince = new Date(nolo.clock.now().getTime() - 30 * 24 * hourMs);
  const page = (rows: ReportedUse[]) => ({ rows, at: keptSince, next: '' });
  const levelsOf = (ids: Iterable<string>) => ({
    rows: [...ids].map((userId) => ({ userId: userId as UserId, amount: levels.get(userId) ?? 0 })),
    at: nolo.clock.now(),
    next: '',
  });
  const holdings: MeterSources = {
    uses: {
      [feature]: {
        reportedSince: async () => page([...uses.values()].filter(({ isReported }) => isReported)),
        named: async (ids) => page(ids.flatMap((id) => uses.get(id) ?? [])),
      },
    },
    levels: { all: async () => levelsOf(levels.keys()), of: async (ids) => levelsOf(ids) },
  };
  return { uses, levels, holdings };
}

async function reconcile(what: string, holdings: MeterSources): Promise<string[]> {
  const reasons: string[] = [];
  const inc = ({ reason }: { reason: string }) => void reasons.push(reason);
  const run = reconcileFeatureMeters({
    holdings,
    adjustments: createMeterAdjustmentStore(nolo.db),
    metrics: { adjustments: { inc } as never },
    clock: nolo.clock,
    log: createLog({ service: 'test', level: 'silent' }),
    levelWaitMs: 0,
  });
  await run({ payload: { feature: what }, signal: new AbortController().signal });
  return reasons.sort();
}

const usedBy = async (userId: string, what = feature) =>
  (await nolo.entitlements.getEntitlements({ userId })).limits.find((one) => one.feature === what)?.used ?? 0;

async function counted(userId: string, id: string, amount: number): Promise<void> {
  const one = { userId, feature, reservationId: id };
  await nolo.entitlements.reserveUsage({ ...one, amount, at: undefined });
  await nolo.entitlements.commitUsage({ ...one, amount });
}

/** Fates of a use in transit; the first four are not errors. */
const fates = ['told', 'under_way', 'reserved', 'given_back', 'lost', 'other', 'unknown'] as const;

test('reconciliation matches meters to what services hold, and leaves correct ones alone', async () => {
  // A single service for all runs, so that it knows what earlier runs have used.
  const { uses, holdings } = services();
  const one = fc.record({ fate: fc.constantFrom(...fates), amount: fc.integer({ min: 2, max: 50 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 12 }), async (all) => {
      const userId = randomUUID() as UserId;
      let [right, wrong] = [0, 0];
      for (const { fate, amount } of all) {
        const id = randomUUID();
        const reportedUse: ReportedUse = {
          id,
          userId,
          amount,
          usedAt: nolo.clock.now(),
          isReported: fate !== 'under_way',
        };
        if (fate === 'reserved') {
          await nolo.entitlements.reserveUsage({ userId, feature, amount, reservationId: id, at: undefined });
        } else if (fate !== 'lost') {
          await counted(userId, id, fate === 'other' ? amount - 1 : amount);
        }
        if (fate === 'given_back') uses.set(id, { ...reportedUse, amount: undefined, isReported: false });
        else if (fate !== 'unknown' && fate !== 'reserved') uses.set(id, reportedUse);
        right += fate === 'unknown' ? 0 : amount;
        wrong += fate === 'lost' || fate === 'other' || fate === 'unknown' ? 1 : 0;
      }
      expect(await reconcile(feature, holdings)).toHaveLength(wrong);
      expect(await usedBy(userId)).toBe(right);
      expect(await reconcile(feature, holdings)).toEqual([]);
      const sum = (await nolo.db('meter_adjustments').where({ user_id: userId }).count('* as count').first()) ?? {};
      expect(Number(sum['count'])).toBe(wrong);
    }),
    { numRuns: 8 },
  );
  expect(await createMeterStore(nolo.db).differences()).toEqual([]);
});

beforeEach(async () => {
  for (const table of ['reservations', 'usage', 'levels']) await nolo.db(table).delete();
});

test('a forgotten reservation is released after a day; one older than the records is left alone', async () => {
  const { holdings } = services();
  const [forgotten, old] = [randomUUID(), randomUUID()];
  await nolo.entitlements.reserveUsage({
    userId: forgotten,
    feature,
    amount: 7,
    reservationId: forgotten,
    at: undefined,
  });
  await counted(old, old, 9);
  const long = new Date(nolo.clock.now().getTime() - 31 * 24 * hourMs);
  await nolo.db('reservations').where({ id: old }).update({ reserved_at: long });
  await reconcile(feature, holdings);
  expect([await usedBy(forgotten), await usedBy(old)]).toEqual([7, 9]);
  const before = new Date(nolo.clock.now().getTime() - 25 * hourMs);
  await nolo.db('reservations').where({ id: forgotten }).update({ reserved_at: before });
  expect(await reconcile(feature, holdings)).toEqual(['not_used']);
  expect([await usedBy(forgotten), await usedBy(old)]).toEqual([0, 9]);
});

test('a level follows the files service, unless either side changes between two polls', async () => {
  const { levels, holdings } = services();
  const [ann, ben, cem, dan] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const report = (userId: string, amount: number) =>
    nolo.entitlements.reportLevel({ userId, feature: 'storageBytes', amount, at: undefined });
  for (const [userId, amount] of [
    [ann, 100],
    [ben, 50],
    [dan, 5],
  ] as const)
    await report(userId, amount);
  levels.set(ann, 100).set(ben, 70).set(cem, 30);
  const of = holdings.levels!.of;
  let reads = 0;
  const moving: MeterSources = {
    ...holdings,
    levels: {
      ...holdings.levels!,
      of: async (ids) => {
        // Cem deletes something during the second read.
        if ((reads += 1) === 1) levels.set(cem, 20);
        return await of(ids);
      },
    },
  };
  expect(await reconcile('storageBytes', moving)).toEqual(['level_differs', 'level_differs']);
  const kept = await Promise.all([ann, ben, cem, dan].map((id) => usedBy(id, 'storageBytes')));
  expect(kept).toEqual([100, 70, 0, 0]);
  expect(await reconcile('storageBytes', holdings)).toEqual(['level_differs']);
  expect(await usedBy(cem, 'storageBytes')).toBe(20);
});

test('only operators reconcile meters, and a deleted account is no longer counted', async () => {
  const userId = randomUUID();
  await expect(nolo.admin.reconcileMeters({ ...operatorCaller, actorId: userId })).rejects.toMatchObject({
    code: 'not_operator',
  });
  expect(await nolo.admin.reconcileMeters(operatorCaller)).toEqual({ features: [] });
  await counted(userId, randomUUID(), 5);
  await createMeterStore(nolo.db).forget(userId as UserId);
  expect(await usedBy(userId)).toBe(0);
});
