import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreateOrderReply } from '@nolo/proto/billing';
import type { Currency, PaymentGatewayId } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { Redis } from 'ioredis';
import type { RawNotification } from '../../../services/billing/src/domain/gateway.ts';
import { checkLedger } from '../../../services/billing/src/store/ledgerCheck.ts';
import { submitPayFastCheckout, submitPayPalCheckout } from '../../../services/billing/tests/startGateways.ts';
import type { BillingTestbed } from '../../support/stacks/billingTestbed.ts';
import { createSeededRandom } from '../../support/clients/scenario.ts';
import { retryUntilAnswered, retryTimeoutMs } from './retryUntilAnswered.ts';
import { meterWriterCount, startMeterWriters } from './meterWriters.ts';

const ordersPerLife = 3;
/** Maximum purchases in progress; on a slow machine, no more begin until some are done. */
const maxOrdersUnderWay = 30;
/** Gateways notify for days, and buyers come back; a busy machine keeps them waiting for minutes. */
const notificationTimeoutMs = 15 * retryTimeoutMs;
/** Number of kills for each time that Redis is emptied. */
const killsPerEmptying = 10;
/** Maximum multiple of the requested kills, until a run has hit what it tests. */
const maxKillFactor = 3;
const periodMs = 30 * 86_400_000;
/** Default start time. A process that takes longer to start also lives longer, so that it gets something done. */
const expectedStartMs = 1_500;
const maxSlowdown = 6;

export interface PaymentChaosOptions {
  kills: number;
  /** Milliseconds after which no more kills begin. */
  withinMs?: number;
  seed: number;
  printLine: (line: string) => void;
}

export interface PaymentChaosReport {
  /** Orders bought and paid, each by a different person. */
  orders: number;
  kills: number;
  /** Number of kills after which a payment had been taken without anything given for it. */
  midway: number;
  /** Number of notifications, and of those sent more than once. */
  notifications: number;
  repeated: number;
  emptied: number;
  /** Uses of plan limits, counted meanwhile by 32 writers at once. */
  uses: number;
  seconds: number;
  violations: string[];
}

interface Bought {
  readonly userId: string;
  readonly orderId: string;
  readonly item: 'plus' | 'business';
  readonly paidAt: number;
}

/**
 * Simulates payments and usage while billing and its worker are killed. In the end each person has what they paid for,
 * once, and meters match the usage.
 */
export async function runPaymentChaos(
  testbed: BillingTestbed,
  options: PaymentChaosOptions,
): Promise<PaymentChaosReport> {
  const began = performance.now();
  const random = createSeededRandom(options.seed);
  const redis = new Redis(testbed.backing.redisUrl);
  const report = { orders: 0, kills: 0, midway: 0, notifications: 0, repeated: 0, emptied: 0 };
  const bought: Bought[] = [];
  const under = new Set<Promise<void>>();
  const meters = startMeterWriters(testbed, createSeededRandom(options.seed + 1));
  const failures: string[] = [];

  /** Delivers a notification as gateways do: repeats it until accepted, and sometimes afterwards too. */
  const deliver = async (gateway: PaymentGatewayId, raw: RawNotification) => {
    const times = random() < 0.3 ? 2 : 1;
    report.notifications += 1;
    report.repeated += times - 1;
    const { body, headers, sourceAddress } = raw;
    const request = { gateway, body: Buffer.from(body), headers: { ...headers }, sourceAddress };
    for (let time = 0; time < times; time += 1)
      await retryUntilAnswered(() => testbed.billing.storeNotification(request), notificationTimeoutMs);
  };
  const buy = async () => {
    const one = await pay(testbed, random);
    bought.push(one);
    report.orders += 1;
    const { orderId, gateway, silent } = one;
    const { receiver } = testbed.outside;
    if (silent) {
      // The gateway sends no notification, so the returning buyer triggers a query at the gateway.
      await retryUntilAnswered(
        () => testbed.billing.validateOrder({ actorId: one.userId, orderId }),
        notificationTimeoutMs,
      );
      return;
    }
    const notificationList =
      gateway === 'payfast' ? [[]] : [['CHECKOUT.ORDER.APPROVED'], ['PAYMENT.CAPTURE.COMPLETED']];
    for (const words of notificationList) {
      for (const raw of await receiver.wait([...words, orderId])) await deliver(gateway, raw);
    }
    receiver.forget(orderId);
  };
  const shop = () => {
    for (let index = 0; index < ordersPerLife && under.size < maxOrdersUnderWay; index += 1) {
      const work = buy().catch((error: unknown) => {
        failures.push(`a purchase failed: ${error instanceof Error ? error.message : String(error)}`);
      });
      under.add(work);
      void work.then(() => under.delete(work));
    }
  };

  const countPaid = async () =>
    Number((await testbed.db('orders').where({ state: 'paid' }).count('* as count').first())?.['count']);
  let begun = 0;
  /**
   * Returns true if the kills hit what the run tests. On a busy machine, a few kills may all miss the time between a
   * payment and its order, and all uses.
   */
  const cameToIt = () => report.midway > 0 && meters.uses() > meterWriterCount;
  const wanted = () => (cameToIt() ? options.kills : maxKillFactor * options.kills);
  const killRepeatedly = async (kind: 'calls' | 'worker') => {
    while (begun < wanted() && performance.now() - began < (options.withinMs ?? Infinity)) {
      begun += 1;
      // Decided now: by the time this process dies, the other loop has begun more.
      const empties = begun % killsPerEmptying === 0;
      const starting = performance.now();
      const process = await testbed.start(kind);
      const pace = Math.min(Math.max((performance.now() - starting) / expectedStartMs, 1), maxSlowdown);
      shop();
      // Clients that wait for the calls process poll every second.
      await sleep(pace * (kind === 'calls' ? 300 + random() * 1_500 : random() * 600));
      if (empties) {
        await redis.flushall();
        report.emptied += 1;
      }
      await process.kill();
      report.kills += 1;
      if (bought.length > (await countPaid())) report.midway += 1;
      if (report.kills % 50 === 0) options.printLine(`${report.kills} kills, ${report.orders} orders`);
    }
    await testbed.start(kind);
  };

  try {
    await Promise.all([killRepeatedly('calls'), killRepeatedly('worker')]);
    await meters.stop();
    const late = await untilNone(() => under.size);
    if (late > 0) failures.push(`${late} purchases did not finish`);
    const open = () => testbed.db('orders').whereNot({ state: 'paid' }).count('* as count').first();
    // The judge reports an order that is never paid.
    await untilNone(async () => Number((await open())?.['count']));
    const violations = [...(await judge(testbed, bought)), ...(await meters.judge()), ...failures];
    return { ...report, uses: meters.uses(), violations, seconds: Math.round((performance.now() - began) / 1_000) };
  } finally {
    redis.disconnect();
    await meters.stop();
  }
}

/**
 * Waits until nothing is left, or the count has not dropped for a quarter of an hour; returns what is left. Work that
 * failed often, because its worker died or a gateway was slow, is retried after minutes.
 */
async function untilNone(count: () => number | Promise<number>): Promise<number> {
  for (let left = await count(); left > 0;) {
    const isLess = async () => (await count()) < left || undefined;
    if (!(await eventually(isLess, { timeoutMs: notificationTimeoutMs, intervalMs: 500 }).catch(() => false)))
      return left;
    left = await count();
  }
  return 0;
}

/** Places an order and pays for it at its gateway, however often billing dies meanwhile. */
async function pay(
  { billing }: BillingTestbed,
  random: () => number,
): Promise<Bought & { gateway: PaymentGatewayId; silent: boolean }> {
  const userId = randomUUID();
  const orderId = randomUUID();
  const item = random() < 0.5 ? 'plus' : 'business';
  const currency: Currency = random() < 0.5 ? 'ZAR' : 'EUR';
  const person = { origin: '', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };
  const orderRequest = { actorId: userId, orderId, item, seats: 1, currency, ...person };
  const { payment } = await retryUntilAnswered<CreateOrderReply>(
    () => billing.createOrder(orderRequest),
    notificationTimeoutMs,
  );
  const silent = random() < 0.2;
  const delivery = silent ? 'never' : random() < 0.2 ? 'twice' : 'normal';
  if (payment?.$case === 'form') {
    const fields = payment.value.fields.map(({ name, value }) => [name, value] as const);
    await submitPayFastCheckout({ action: payment.value.action, fields }, 'pay', delivery);
  } else {
    await submitPayPalCheckout(payment?.value ?? null, 'pay', delivery);
  }
  return { userId, orderId, item, paidAt: Date.now(), gateway: currency === 'ZAR' ? 'payfast' : 'paypal', silent };
}

/** Compares what people have with what they paid for. */
async function judge(testbed: BillingTestbed, bought: readonly Bought[]): Promise<string[]> {
  const violations: string[] = [];
  for (const { orderId, currency, what } of await checkLedger(testbed.db)) {
    violations.push(`the ledger is wrong: ${what} ${currency} ${orderId ?? ''}`);
  }
  const count = async (table: string, where: object) =>
    Number((await testbed.db(table).where(where).count('* as count').first())?.['count']);
  for (const { userId, orderId, item, paidAt } of bought) {
    const wrong = (what: string) => violations.push(`${item} of order ${orderId}: ${what}`);
    const { state } = await retryUntilAnswered(() => testbed.billing.getOrder({ actorId: userId, orderId }));
    if (state !== 'paid') {
      const notificationList = await testbed
        .db('notifications')
        .whereRaw("position(? in convert_from(body, 'UTF8')) > 0", [orderId])
        .select('state', 'reason', 'attempts');
      wrong(`paid for, but ${state}; notifications: ${JSON.stringify(notificationList)}`);
    }
    const payments = await count('facts', { order_id: orderId, kind: 'payment' });
    if (payments !== 1) wrong(`${payments} payments recorded`);
    const receipts = await count('receipts', { order_id: orderId });
    if (receipts !== 1) wrong(`${receipts} receipts`);
    const { plan, periodEndsAt } = await retryUntilAnswered(() => testbed.billing.getSubscription({ actorId: userId }));
    if (plan !== item) wrong(`the user has ${plan}`);
    const days = ((periodEndsAt?.getTime() ?? 0) - paidAt) / 86_400_000;
    if (Math.abs(days * 86_400_000 - periodMs) > 86_400_000 / 2) wrong(`it runs for ${days.toFixed(1)} days`);
    const { plan: allowed } = await retryUntilAnswered(() => testbed.entitlements.getEntitlements({ userId }));
    if (allowed !== item) wrong(`services see ${allowed}`);
    if ((await count('events', { key: userId })) === 0) wrong('no service was notified');
  }
  return violations;
}
