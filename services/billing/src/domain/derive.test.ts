import type { UserId } from '@nolo/kit/ids';
import fc from 'fast-check';
import type { Fact, Item, Ordered } from './facts.ts';
import { entriesBetween, ledgerOf, type Balance } from './ledger.ts';
import { deriveOrder } from './orderState.ts';
import { dayMs, graceMs, periodMs, type WorthOf } from './periods.ts';
import { deriveTimeline, heldAt, nextChange, planAt, type Timeline } from './timeline.ts';

const userId = 'somebody' as UserId;
const begin = Date.parse('2026-01-01T00:00:00Z');
const worth: Record<Item, number> = { plus: 129, business: 279, storage: 55, transcription: 92 };
const worthOf: WorthOf = ({ item, quantity }) => worth[item] * quantity;

const order = (id: string, item: Item, quantity = 1): Ordered & { taxBasisPoints: number } => ({
  id,
  userId,
  item,
  quantity,
  money: { amount: worth[item] * quantity * 100, currency: 'ZAR' },
  taxBasisPoints: 1_500,
});
const at = (days: number) => new Date(begin + days * dayMs);
const paid = ({ id: orderId, money }: Ordered, days: number, id = `pay-${orderId}`): Fact => ({
  id,
  userId,
  at: at(days),
  kind: 'payment',
  orderId,
  gateway: 'payfast',
  paymentId: id,
  money,
});
const refunded = ({ id: orderId, money }: Ordered, days: number, amount = money.amount, id = `back-${orderId}`): Fact =>
  ({
    ...paid({ id: orderId, money } as Ordered, days, id),
    kind: 'refund',
    refundId: id,
    money: { ...money, amount },
  }) as Fact;
const plain = (kind: 'ending' | 'resumed', days: number): Fact => ({
  id: `${kind}-${days}`,
  userId,
  at: at(days),
  kind,
});
const timelineOf = (orders: Ordered[], facts: Fact[]): Timeline => deriveTimeline({ orders, facts }, worthOf);
const stateAt = (timeline: Timeline, days: number) => planAt(timeline, begin + days * dayMs)?.state;
const planOf = (timeline: Timeline, days: number) => heldAt(timeline, begin + days * dayMs).plan;

test('thirty days are bought, seven of grace follow, and then it is over', () => {
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
  expect(nextChange(timeline, begin)).toBe(begin + 27 * dayMs);
  expect(nextChange(timeline, begin + 38 * dayMs)).toBeUndefined();
});

test('what is ended by the person has no days of grace, and goes on where that is taken back', () => {
  const plus = order('a', 'plus');
  const ended = timelineOf([plus], [paid(plus, 0), plain('ending', 3)]);
  expect([2, 29, 30].map((day) => stateAt(ended, day))).toEqual(['ending', 'ending', 'ended']);
  const resumed = timelineOf([plus], [paid(plus, 0), plain('ending', 3), plain('resumed', 4)]);
  expect([29, 30].map((day) => stateAt(resumed, day))).toEqual(['active', 'grace']);
});

test('the same again goes on where it ends, also out of the grace', () => {
  const [a, b, c] = [order('a', 'plus'), order('b', 'plus'), order('c', 'plus')];
  const timeline = timelineOf([a, b, c], [paid(a, 0), paid(b, 10), paid(c, 64)]);
  expect(timeline.plan).toEqual([{ item: 'plus', quantity: 1, from: begin, until: begin + 3 * periodMs }]);
});

test('an upgrade begins at once, with the unused days credited by what they are worth', () => {
  const [plus, business] = [order('a', 'plus'), order('b', 'business', 2)];
  const { plan } = timelineOf([plus, business], [paid(plus, 0), paid(business, 10)]);
  const credit = Math.floor((20 * dayMs * 129) / (2 * 279));
  expect(plan.map(({ item, from, until }) => [item, from, until])).toEqual([
    ['plus', begin, begin + 10 * dayMs],
    ['business', begin + 10 * dayMs, begin + 40 * dayMs + credit],
  ]);
});

test('less than there is begins when that ends', () => {
  const [business, plus] = [order('a', 'business'), order('b', 'plus')];
  const timeline = timelineOf([business, plus], [paid(business, 0), paid(plus, 10)]);
  expect([10, 29, 30, 59].map((day) => planOf(timeline, day))).toEqual(['business', 'business', 'plus', 'plus']);
});

test('what was given back is not there, and what was paid twice and given back once is', () => {
  const plus = order('a', 'plus');
  expect(planOf(timelineOf([plus], [paid(plus, 0), refunded(plus, 1)]), 2)).toBe('free');
  const twice = [paid(plus, 0), paid(plus, 0, 'again'), refunded(plus, 1)];
  expect(deriveOrder(plus, twice)).toMatchObject({ state: 'paid', refunded: 0 });
  const part = [paid(plus, 0), refunded(plus, 1, 400)];
  expect(deriveOrder(plus, part)).toMatchObject({ state: 'paid', refunded: 400 });
  expect(planOf(timelineOf([plus], part), 2)).toBe('plus');
});

test('a payment of another amount pays for nothing, and is the customer’s in the ledger', () => {
  const plus = order('a', 'plus');
  const wrong = paid({ ...plus, money: { amount: 100, currency: 'ZAR' } }, 0);
  expect(deriveOrder(plus, [wrong]).state).toBe('created');
  expect(ledgerOf(plus, [wrong]).filter(({ amount }) => amount !== 0)).toEqual([
    { account: 'gateway:payfast', currency: 'ZAR', amount: 100 },
    { account: 'customers', currency: 'ZAR', amount: -100 },
  ]);
});

test('a payment that comes after its order was given up pays for it', () => {
  const plus = order('a', 'plus');
  const expired: Fact = { id: 'x', userId, at: at(1), kind: 'expired', orderId: plus.id };
  expect(deriveOrder(plus, [expired]).state).toBe('expired');
  expect(deriveOrder(plus, [expired, paid(plus, 0)]).state).toBe('paid');
});

const orders = [
  order('a', 'plus'),
  order('b', 'business'),
  order('c', 'business', 3),
  order('d', 'plus'),
  order('e', 'storage', 2),
];
const dispute = (kind: 'dispute_opened' | 'dispute_won' | 'dispute_lost') =>
  fc
    .record({ of: fc.constantFrom(...orders), days: fc.integer({ min: 0, max: 120 }) })
    .map(({ of: { id: orderId, money }, days }): Fact => ({
      id: `${kind}-${orderId}`,
      userId,
      at: at(days),
      kind,
      orderId,
      gateway: 'paypal',
      disputeId: orderId,
      money,
    }));
const someFact = fc.oneof(
  fc
    .record({ of: fc.constantFrom(...orders), days: fc.integer({ min: 0, max: 120 }), again: fc.boolean() })
    .map(({ of, days, again }) => paid(of, days, `pay-${of.id}-${again}`)),
  fc
    .record({
      of: fc.constantFrom(...orders),
      days: fc.integer({ min: 0, max: 120 }),
      part: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ of, days, part }) => refunded(of, days, Math.floor(of.money.amount / part), `back-${of.id}-${part}`)),
  dispute('dispute_opened'),
  dispute('dispute_won'),
  dispute('dispute_lost'),
  fc
    .record({ kind: fc.constantFrom('ending' as const, 'resumed' as const), days: fc.integer({ min: 0, max: 120 }) })
    .map(({ kind, days }) => plain(kind, days)),
);
const someFacts = fc.uniqueArray(someFact, { maxLength: 14, selector: ({ id }) => id });

/** As `recordFacts` does: what each fact changes is written after those that were there. */
function booked(facts: readonly Fact[]): Balance[] {
  let ledger: Balance[] = [];
  facts.forEach((_, place) => {
    for (const one of orders) {
      const said = ledger.filter(({ account }) => account.endsWith(one.id));
      const target = ledgerOf(one, facts.slice(0, place + 1));
      const named = target.map((balance) => ({ ...balance, account: `${balance.account} ${one.id}` }));
      const entries = entriesBetween(said, named);
      expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
      for (const entry of entries) {
        const before = ledger.find(({ account }) => account === entry.account)?.amount ?? 0;
        ledger = [
          ...ledger.filter(({ account }) => account !== entry.account),
          { ...entry, amount: before + entry.amount },
        ];
      }
    }
  });
  return ledger.filter(({ amount }) => amount !== 0).sort((a, b) => (a.account < b.account ? -1 : 1));
}

test('any order of what happened ends in the same, and the ledger always sums to zero', () => {
  fc.assert(
    fc.property(
      someFacts.chain((facts) => fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length }))),
      ([facts, otherwise]) => {
        expect(timelineOf(orders, otherwise)).toEqual(timelineOf(orders, facts));
        for (const one of orders) expect(deriveOrder(one, otherwise)).toEqual(deriveOrder(one, facts));
        expect(booked(otherwise)).toEqual(booked(facts));
      },
    ),
    { numRuns: 500 },
  );
});

test('periods follow one another without a gap of time paid for, and nobody loses what they paid', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const { plan } = timelineOf(orders, facts);
      plan.forEach(({ from, until }, place) => {
        expect(until).toBeGreaterThan(from);
        const next = plan[place + 1];
        if (next) expect(next.from).toBeGreaterThanOrEqual(until);
      });
      const bought = facts.filter((fact) => {
        const of = orders.find(
          ({ id }) =>
            id !== 'e' && deriveOrder({ ...orders.find((o) => o.id === id) } as Ordered, facts).payment?.id === fact.id,
        );
        return of !== undefined && ['paid', 'disputed'].includes(deriveOrder(of, facts).state);
      });
      const spent = plan.reduce((sum, period) => sum + (period.until - period.from) * worthOf(period), 0);
      const worthPaid = bought.reduce((sum, fact) => {
        const of = orders.find(({ id }) => 'orderId' in fact && fact.orderId === id);
        return sum + (of ? worthOf(of) * periodMs : 0);
      }, 0);
      // Less than a second of each may be lost in rounding.
      expect(Math.abs(spent - worthPaid)).toBeLessThan(1_000 * 1_000 * (plan.length + 1));
    }),
    { numRuns: 300 },
  );
});

test('a lapse of more than the grace begins anew', () => {
  const [a, b] = [order('a', 'plus'), order('b', 'plus')];
  const late = periodMs + graceMs + 1;
  const { plan } = timelineOf([a, b], [paid(a, 0), { ...paid(b, 0), at: new Date(begin + late) }]);
  expect(plan.map(({ from }) => from)).toEqual([begin, begin + late]);
});
