import { randomUUID } from 'node:crypto';
import { createDb, inTransaction, type Knex } from '@nolo/kit/db';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { createClient } from '@nolo/kit/rpc';
import { Registry } from '@nolo/kit/telemetry';
import { createUsageMeter, createUseTable, addReportedUseRetention, type UsageMeter } from '@nolo/installation/usage';
import { createUseLog } from '@nolo/installation/useLog';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { createTestEnvironment, eventually, startTestBilling, type TestBilling } from '@nolo/testing';

/** Tests usage that counts against a plan, on a real database and with a billing that comes and goes. */

const stack = createStopStack();
const secret = 'a-secret-of-this-test-alone';
const log = createLog({ service: 'test', level: 'silent' });
const feature = 'scheduledPosts';
let db: Knex;
let billing: TestBilling;
let startMeter: () => UsageMeter;
const registry = new Registry();

beforeAll(async () => {
  const environment = await createTestEnvironment(['chat']);
  stack.push('environment', () => environment.drop());
  db = createDb({ url: environment.urls.chat, schema: 'chat', poolMax: 40 });
  stack.push('db', () => db.destroy());
  await createUseTable(db);
  await addReportedUseRetention(db);
  billing = await startTestBilling(environment, secret);
  stack.push('billing', () => billing.stop());
  const client = createClient(EntitlementsServiceDefinition, billing.address, { secret });
  stack.push('client', () => client.close());
  startMeter = () => createUsageMeter({ db, billing: client, log });
  const counting = createUsageMeter({ db, billing: client, log, metrics: registry });
  stack.push('counting meter', () => counting.stop());
});
afterAll(() => stack.stop());
beforeEach(() => billing.setAway(false));

const waiting = async () =>
  Number((await db('use_ends').whereNull('told_at').count('* as count').first())?.['count'] ?? 0);
const aPost = (userId: string, id: string = randomUUID()) => ({ userId, feature, id, amount: 1, at: new Date() });
const used = (userId: string) => billing.used(userId, feature);
const end = (meter: UsageMeter, of: ReturnType<typeof aPost>, amount: number | 'released') =>
  inTransaction(db, (trx) => meter.end(trx, { ...of, amount }));

test('reservations never exceed the plan, however many are concurrent, and one use counts once', async () => {
  const userId = randomUUID();
  const meter = startMeter();
  const one = aPost(userId);
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, () => meter.reserve(one)),
    ...Array.from({ length: 8 }, () => meter.reserve(aPost(userId))),
  ]);
  expect(answers.filter(({ kind }) => kind === 'full')).toHaveLength(6);
  expect(answers.find(({ kind }) => kind === 'full')).toEqual({ kind: 'full', limit: 3, used: 3 });
  expect(used(userId)).toBe(3);
  await meter.release(one);
  expect(used(userId)).toBe(2);
});

test('a use that fails or is withdrawn later is given back; the last report wins', async () => {
  const userId = randomUUID();
  const meter = startMeter();
  const one = aPost(userId);
  await meter.reserve(one);
  await end(meter, one, 1);
  await end(meter, one, 'released');
  await meter.deliver();
  expect(used(userId)).toBe(0);
  await meter.reserve(one);
  await end(meter, one, 1);
  await meter.deliver();
  expect([used(userId), await waiting()]).toEqual([1, 0]);
});

test('a use that is rolled back is not counted', async () => {
  const userId = randomUUID();
  const meter = startMeter();
  const failed = inTransaction(db, async (trx) => {
    await meter.end(trx, { ...aPost(userId), amount: 1 });
    throw new Error('something else failed');
  });
  await expect(failed).rejects.toThrow('something else failed');
  await meter.deliver();
  expect([used(userId), await waiting()]).toEqual([0, 0]);
});

test('32 concurrent writers count each use once while billing comes and goes and processes die', async () => {
  const userId = randomUUID();
  await billing.sell(userId, 'business');
  const meters = [startMeter(), startMeter()];
  let committed = 0;
  const write = async (writer: number) => {
    for (let n = 0; n < 8; n += 1) {
      billing.setAway((writer + n) % 5 === 0);
      const meter = meters[n % 2]!;
      const one = aPost(userId);
      await meter.reserve(one);
      const isUsed = (writer + n) % 4 !== 0;
      await end(meter, one, isUsed ? 1 : 'released');
      if (isUsed) committed += 1;
      // Every third meter dies before it reports the usage.
      if (n % 3 !== 0) void meter.deliver();
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
  billing.setAway(false);
  const after = startMeter();
  await eventually(async () => {
    await Promise.all([after.deliver(), ...meters.map((meter) => meter.deliver())]);
    return (await waiting()) === 0;
  });
  expect(used(userId)).toBe(committed);
  // The log reads the same total page by page, for comparison with the meter, and contains nothing of what was
  // released.
  const log = createUseLog(db);
  const read = async (after?: string): Promise<number> => {
    const { uses, nextAfter } = await log.readUses({ feature, after, limit: 50, reportedSince: new Date(0), ids: [] });
    const mine = uses.filter((use) => use.userId === userId && use.reported);
    return mine.reduce((sum, { amount = 0 }) => sum + amount, 0) + (nextAfter ? await read(nextAfter) : 0);
  };
  expect(await read()).toBe(committed);
});

test('a use that billing never accepts is left to an operator, and does not delay others', async () => {
  const userId = randomUUID();
  const meter = startMeter();
  billing.setAway(true);
  const uses = Array.from({ length: 4 }, () => aPost(userId));
  for (const one of uses) await end(meter, one, 1);
  await meter.deliver();
  expect(await waiting()).toBe(4);
  billing.setAway(false);
  await meter.deliver();
  // The free plan includes three.
  expect(used(userId)).toBe(3);
  const refused = db('use_ends').where({ user_id: userId }).whereNotNull('refused');
  expect(await refused.pluck('refused')).toEqual(['usage_exceeded']);
  expect(await registry.getSingleMetric('nolo_uses_refused')?.get()).toMatchObject({
    values: [{ value: 1, labels: { reason: 'usage_exceeded' } }],
  });
  const other = randomUUID();
  await end(meter, aPost(other), 1);
  await meter.deliver();
  expect(used(other)).toBe(1);
});
