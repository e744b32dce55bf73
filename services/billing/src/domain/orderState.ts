import { inTime, type Fact, type MoneyFact, type Ordered, type OrderState } from './facts.ts';

export interface DerivedOrder {
  readonly state: OrderState;
  /** Of what it cost; money that was paid too much is not among it. */
  readonly refunded: number;
  /** The one that pays for what was ordered; money of others is to be given back. */
  readonly payment: MoneyFact | undefined;
}

/** What has become of an order, from what is known of it in any order. */
export function deriveOrder(order: Ordered, facts: readonly Fact[]): DerivedOrder {
  const mine = inTime(facts.filter((fact) => 'orderId' in fact && fact.orderId === order.id));
  const payment = mine.find((fact) => fact.kind === 'payment' && pays(order, fact));
  const sum = (kind: MoneyFact['kind']) =>
    mine.reduce((total, fact) => {
      const counts = fact.kind === kind && 'money' in fact && fact.money.currency === order.money.currency;
      return counts ? total + fact.money.amount : total;
    }, 0);
  const kept = sum('payment') - sum('refund');
  const has = (kind: Fact['kind']) => mine.some((fact) => fact.kind === kind);
  if (payment?.kind !== 'payment') {
    const state = (['failed', 'cancelled', 'expired', 'redirected'] as const).find(has) ?? 'created';
    return { refunded: 0, payment: undefined, state };
  }
  // What was paid twice and given back once is paid still.
  const refunded = has('dispute_lost') ? order.money.amount : clamp(order.money.amount - kept, order.money.amount);
  if (refunded === order.money.amount) return { refunded, payment, state: 'refunded' };
  return { refunded, payment, state: isDisputed(mine) ? 'disputed' : 'paid' };
}

const clamp = (amount: number, most: number): number => Math.min(Math.max(0, amount), most);

const pays = ({ money }: Ordered, fact: { readonly money: MoneyFact['money'] }): boolean =>
  fact.money.amount === money.amount && fact.money.currency === money.currency;

/** Whether one of its disputes is open. */
function isDisputed(facts: readonly Fact[]): boolean {
  const closed = new Set<string>();
  for (const fact of facts) if (fact.kind === 'dispute_won' || fact.kind === 'dispute_lost') closed.add(fact.disputeId);
  return facts.some((fact) => fact.kind === 'dispute_opened' && !closed.has(fact.disputeId));
}
