import type { UserId } from '@nolo/kit/ids';
import { priceOf, type SaleItem } from '@nolo/rules';
import fc from 'fast-check';
import type { BillingFact, MoneyAmount, OrderContents } from './facts.ts';
import { diffLedger, deriveLedger, type Balance } from './ledger.ts';
import { deriveOrder } from './orderState.ts';
import { upgradeCreditAt, dayMs, planGraceMs, periodMs } from './periods.ts';
import {
  derivePlanTimeline,
  personalPlanAt,
  nextChangeTime,
  activeAddOnPeriods,
  planStandingAt,
  type PlanTimeline,
} from './planTimeline.ts';

const userId = 'somebody' as UserId;
const begin = Date.parse('2026-01-01T00:00:00Z');
type Order = OrderContents & { taxBasisPoints: number };

const order = (id: string, item: SaleItem, seats = 1, credit = 0): Order => ({
  id,
  userId,
  item,
  seats,
  money: { amount: priceOf(item, 'ZAR', seats) - credit, currency: 'ZAR' },
  credit,
  taxBasisPoints: 1_500,
});
const at = (days: number) => new Date(begin + days * dayMs);
const paid = (
  { id: orderId, money }: { id: string; money: MoneyAmount },
  days: number,
  id = `pay-${orderId}`,
): BillingFact => ({
  id,
  userId,
  at: at(days),
  kind: 'payment',
  orderId,
  gateway: 'payfast',
  paymentId: id,
  money,
});
const refunded = (
  { id: orderId, money }: Order,
  days: number,
  amount = money.amount,
  id = `back-${orderId}`,
): BillingFact => ({
  id,
  userId,
  at: at(days),
  kind: 'refund',
  orderId,
  gateway: 'payfast',
  refundId: id,
  money: { ...money, amount },
});
const plain = (kind: 'ending' | 'resumed', days: number): BillingFact => ({
  id: `${kind}-${days}`,
  userId,
  at: at(days),
  kind,
});
const timelineOf = (orders: Order[], facts: BillingFact[]): PlanTimeline => derivePlanTimeline({ orders, facts });
const stateAt = (timeline: PlanTimeline, days: number) => planStandingAt(timeline, begin + days * dayMs)?.state;
const planOf = (timeline: PlanTimeline, days: number) => personalPlanAt(timeline, begin + days * dayMs).plan;

test('a plan lasts thirty days, followed by seven days of grace', () => {
  const plus = order('a', 'plus');
  const timeline = timelineOf([plus], [paid(plus, 0)]);
  expect([0, 29, 30, 36, 37].map((day) => stateAt(timeline, day))).toEqual([
    'active',
    'active',
    'grace',
    'grace',
    'ended',
  ]);
  expect([0, 36, 37].map((day) => planOf(timeline, day))).toEqual(['plus', 'plus', 'free']);
  expect(nextChangeTime(timeline, begin)).toBe(begin + 27 * dayMs);
  expect(nextChangeTime(timeline, begin + 38 * dayMs)).toBeUndefined();
});

test('a cancelled plan has no grace, and continues if the cancellation is withdrawn', () => {
  const plus = order('a', 'plus');
  const ended = timelineOf([plus], [paid(plus, 0), plain('ending', 3)]);
  expect([2, 29, 30].map((day) => stateAt(ended, day))).toEqual(['ending', 'ending', 'ended']);
  const resumed = timelineOf([plus], [paid(plus, 0), plain('ending', 3), plain('resumed', 4)]);
  expect([29, 30].map((day) => stateAt(resumed, day))).toEqual(['active', 'grace']);
});

test('a renewal continues where the plan ends, even out of the grace period', () => {
  const [a, b, c] = [order('a', 'plus'), order('b', 'plus'), order('c', 'plus')];
  const { plan } = timelineOf([a, b, c], [paid(a, 0), paid(b, 10), paid(c, 64)]);
  expect(plan.map(({ from, until }) => [from, until])).toEqual([[begin, begin + 3 * periodMs]]);
});

test('a lapse longer than the grace period starts a new period', () => {
  const [a, b] = [order('a', 'plus'), order('b', 'plus')];
  const late = periodMs + planGraceMs + 1;
  const { plan } = timelineOf([a, b], [paid(a, 0), { ...paid(b, 0), at: new Date(begin + late) }]);
  expect(plan.map(({ from }) => from)).toEqual([begin, begin + late]);
});

test('an upgrade starts immediately, and unused days are credited', () => {
  const plus = order('a', 'plus');
  const running = timelineOf([plus], [paid(plus, 0)]).plan[0];
  const credit = running ? upgradeCreditAt(running, begin + 10 * dayMs) : 0;
  expect(credit).toBe(8_600);
  const business = order('b', 'business', 1, credit);
  const { plan } = timelineOf([plus, business], [paid(plus, 0), paid(business, 10.01)]);
  expect(plan.map(({ item, until }) => [item, until])).toEqual([
    ['plus', begin + 10.01 * dayMs],
    ['business', begin + 40.01 * dayMs],
  ]);
});

test('days credited twice are granted once', () => {
  const plus = order('a', 'plus');
  const [b, c] = [order('b', 'business', 1, 12_900), order('c', 'business', 1, 12_900)];
  const { plan } = timelineOf([plus, b, c], [paid(plus, 0), paid(b, 0), paid(c, 0)]);
  const share = (27_900 - 12_900) / 27_900;
  expect(plan.at(-1)?.until).toBe(begin + periodMs + Math.floor(periodMs * share));
});

test('days not credited in money are credited in time', () => {
  const [plus, business] = [order('a', 'plus'), order('b', 'business', 2)];
  const { plan } = timelineOf([plus, business], [paid(plus, 0), paid(business, 10)]);
  const unused = Math.floor((20 * dayMs * 12_900) / (2 * 27_900));
  expect(plan.at(-1)?.until).toBe(begin + 40 * dayMs + unused);
});

test('a smaller plan starts when the larger one ends', () => {
  const [business, plus] = [order('a', 'business'), order('b', 'plus')];
  const timeline = timelineOf([business, plus], [paid(business, 0), paid(plus, 10)]);
  expect([10, 29, 30, 59].map((day) => planOf(timeline, day))).toEqual(['business', 'business', 'plus', 'plus']);
  expect(planStandingAt(timeline, begin + 11 * dayMs)?.next).toEqual({ plan: 'plus', seats: 1 });
});

test('a planned downgrade sets the plan of the grace period', () => {
  const business = order('a', 'business', 3);
  const chosen: BillingFact = { id: 'c', userId, at: at(5), kind: 'plan_chosen', plan: 'plus', seats: 1 };
  const timeline = timelineOf([business], [paid(business, 0), chosen]);
  expect([29, 30, 37].map((day) => planOf(timeline, day))).toEqual(['business', 'plus', 'free']);
});

test('add-ons run in parallel, and one bought at the end of another extends it', () => {
  const [a, b, c] = [order('a', 'storage'), order('b', 'storage'), order('c', 'storage')];
  const timeline = timelineOf([a, b, c], [paid(a, 0), paid(b, 10), paid(c, 29)]);
  expect(timeline.addOns.storage.map(({ from, until }) => [from, until])).toEqual([
    [begin, begin + 60 * dayMs],
    [begin + 10 * dayMs, begin + 40 * dayMs],
  ]);
  expect([5, 20, 50, 68].map((day) => activeAddOnPeriods(timeline, 'storage', begin + day * dayMs).length)).toEqual([
    1, 2, 1, 0,
  ]);
});

test('a grant ends on its own or earlier by hand, and hides no paid plan', () => {
  const plus = order('a', 'plus');
  const grant: BillingFact = { id: 'g', userId, at: at(5), kind: 'grant', plan: 'business', seats: 1, until: at(20) };
  const given = timelineOf([plus], [paid(plus, 0), grant]);
  expect([4, 5, 19, 20].map((day) => planOf(given, day))).toEqual(['plus', 'business', 'business', 'plus']);
  const ended = timelineOf([plus], [paid(plus, 0), grant, { id: 'e', userId, at: at(8), kind: 'grants_ended' }]);
  expect([7, 8].map((day) => planOf(ended, day))).toEqual(['business', 'plus']);
});

test('a refunded payment does not count, and one refund of a double payment leaves the other', () => {
  const plus = order('a', 'plus');
  expect(planOf(timelineOf([plus], [paid(plus, 0), refunded(plus, 1)]), 2)).toBe('free');
  const twice = [paid(plus, 0), paid(plus, 0, 'again'), refunded(plus, 1)];
  expect(deriveOrder(plus, twice)).toMatchObject({ state: 'paid', refunded: 0 });
  const divisor = [paid(plus, 0), refunded(plus, 1, 400)];
  expect(deriveOrder(plus, divisor)).toMatchObject({ state: 'paid', refunded: 400 });
  expect(planOf(timelineOf([plus], divisor), 2)).toBe('plus');
});

test('a payment of the wrong amount pays for nothing, and is owed to the customer in the ledger', () => {
  const plus = order('a', 'plus');
  const wrong = paid({ id: 'a', money: { amount: 100, currency: 'ZAR' } }, 0);
  expect(deriveOrder(plus, [wrong]).state).toBe('created');
  expect(deriveLedger(plus, [wrong]).filter(({ amount }) => amount !== 0)).toEqual([
    { account: 'gateway:payfast', currency: 'ZAR', amount: 100 },
    { account: 'customers', currency: 'ZAR', amount: -100 },
  ]);
});

test('a payment after its order expired still pays for it', () => {
  const plus = order('a', 'plus');
  const expired: BillingFact = { id: 'x', userId, at: at(1), kind: 'expired', orderId: plus.id };
  expect(deriveOrder(plus, [expired]).state).toBe('expired');
  expect(deriveOrder(plus, [expired, paid(plus, 0)]).state).toBe('paid');
});

const orders = [
  order('a', 'plus'),
  order('b', 'business', 1, 8_600),
  order('c', 'business', 3),
  order('d', 'plus'),
  order('e', 'storage'),
];
const days = fc.integer({ min: 0, max: 120 });
const someOrder = fc.constantFrom(...orders);
const dispute = (kind: 'dispute_opened' | 'dispute_won' | 'dispute_lost') =>
  fc.tuple(someOrder, days).map(([{ id: orderId, money }, day]): BillingFact => ({
    id: `${kind}-${orderId}`,
    userId,
    at: at(day),
    kind,
    orderId,
    gateway: 'paypal',
    disputeId: orderId,
    money,
  }));
const someFact = fc.oneof(
  fc.tuple(someOrder, days, fc.boolean()).map(([of, day, isRepeat]) => paid(of, day, `pay-${of.id}-${isRepeat}`)),
  fc
    .tuple(someOrder, days, fc.integer({ min: 1, max: 3 }))
    .map(([of, day, divisor]) => refunded(of, day, Math.floor(of.money.amount / divisor), `back-${of.id}-${divisor}`)),
  dispute('dispute_opened'),
  dispute('dispute_won'),
  dispute('dispute_lost'),
  fc.tuple(fc.constantFrom('ending' as const, 'resumed' as const), days).map(([kind, day]) => plain(kind, day)),
);
const someFacts = fc.uniqueArray(someFact, { maxLength: 14, selector: ({ id }) => id });

/** Books facts one by one as they arrive, appending only the changes. */
function booked(facts: readonly BillingFact[]): Balance[] {
  const ledger = new Map<string, Balance>();
  facts.forEach((_, place) => {
    for (const one of orders) {
      const storedBalances = [...ledger.values()].filter(({ account }) => account.endsWith(` ${one.id}`));
      const target = deriveLedger(one, facts.slice(0, place + 1));
      const named = target.map((balance) => ({ ...balance, account: `${balance.account} ${one.id}` }));
      const entries = diffLedger(storedBalances, named);
      expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
      for (const entry of entries) {
        const before = ledger.get(entry.account)?.amount ?? 0;
        ledger.set(entry.account, { ...entry, amount: before + entry.amount });
      }
    }
  });
  return [...ledger.values()].filter(({ amount }) => amount !== 0).sort((a, b) => (a.account < b.account ? -1 : 1));
}

test('facts in any order give the same result, and the ledger always sums to zero', () => {
  const shuffled = someFacts.chain((facts) =>
    fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
  );
  fc.assert(
    fc.property(shuffled, ([facts, otherwise]) => {
      expect(timelineOf(orders, otherwise)).toEqual(timelineOf(orders, facts));
      for (const one of orders) expect(deriveOrder(one, otherwise)).toEqual(deriveOrder(one, facts));
      expect(booked(otherwise)).toEqual(booked(facts));
    }),
    { numRuns: 500 },
  );
});

test('periods never overlap, and everyone gets the time they paid for, within a day', () => {
  const worthOf = (item: SaleItem, seats: number) => priceOf(item, 'ZAR', seats);
  fc.assert(
    fc.property(someFacts, (facts) => {
      const { plan } = timelineOf(orders, facts);
      plan.forEach(({ from, until }, place) => {
        expect(until).toBeGreaterThan(from);
        expect(plan[place + 1]?.from ?? until).toBeGreaterThanOrEqual(until);
      });
      const plans = orders.filter(({ item, ...rest }) => {
        const { state } = deriveOrder({ item, ...rest }, facts);
        return item !== 'storage' && (state === 'paid' || state === 'disputed');
      });
      const bought = plans.reduce((sum, one) => sum + one.money.amount * periodMs, 0);
      const spent = plan.reduce((sum, { item, seats, from, until }) => sum + (until - from) * worthOf(item, seats), 0);
      const rounding = 1_000 * worthOf('business', 3);
      expect(spent - bought).toBeGreaterThan(-rounding);
      expect(spent - bought).toBeLessThan(rounding + dayMs * worthOf('business', 1));
    }),
    { numRuns: 500 },
  );
});
