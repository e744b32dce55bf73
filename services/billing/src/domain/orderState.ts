import { sortByTime, type BillingFact, type MoneyFact, type OrderContents, type OrderState } from './facts.ts';

export interface DerivedOrder {
  readonly state: OrderState;
  /** Amount of the price that was refunded, without overpaid money. */
  readonly refunded: number;
  /** Payment that covers the order. Money of any other payment is to be refunded. */
  readonly payment: MoneyFact | undefined;
}

/** Derives the state of an order from its facts in any order. */
export function deriveOrder(order: OrderContents, facts: readonly BillingFact[]): DerivedOrder {
  const mine = sortByTime(facts.filter((fact) => 'orderId' in fact && fact.orderId === order.id));
  const payment = mine.find((fact) => fact.kind === 'payment' && pays(order, fact));
  const sum = (kind: MoneyFact['kind']) =>
    mine.reduce((total, fact) => {
      const counts = fact.kind === kind && 'money' in fact && fact.money.currency === order.money.currency;
      return counts ? total + fact.money.amount : total;
    }, 0);
  const kept = sum('payment') - sum('refund');
  const has = (kind: BillingFact['kind']) => mine.some((fact) => fact.kind === kind);
  if (payment?.kind !== 'payment') {
    const state = (['failed', 'cancelled', 'expired', 'redirected'] as const).find(has) ?? 'created';
    return { refunded: 0, payment: undefined, state };
  }
  // An order paid twice and refunded once is still paid.
  const refunded = has('dispute_lost') ? order.money.amount : clamp(order.money.amount - kept, order.money.amount);
  if (refunded === order.money.amount) return { refunded, payment, state: 'refunded' };
  return { refunded, payment, state: isDisputed(mine) ? 'disputed' : 'paid' };
}

const clamp = (amount: number, max: number): number => Math.min(Math.max(0, amount), max);

const pays = ({ money }: OrderContents, fact: { readonly money: MoneyFact['money'] }): boolean =>
  fact.money.amount === money.amount && fact.money.currency === money.currency;

/** Returns true if a dispute is open. */
function isDisputed(facts: readonly BillingFact[]): boolean {
  const closed = new Set<string>();
  for (const fact of facts) if (fact.kind === 'dispute_won' || fact.kind === 'dispute_lost') closed.add(fact.disputeId);
  return facts.some((fact) => fact.kind === 'dispute_opened' && !closed.has(fact.disputeId));
}
