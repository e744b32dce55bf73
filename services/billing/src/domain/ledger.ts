import type { Fact, MoneyFact, Ordered } from './facts.ts';
import { deriveOrder } from './orderState.ts';
import { taxIn } from './tax.ts';

/** What lies in an account of the ledger; positive is debit, negative is credit. */
export interface Balance {
  readonly account: string;
  readonly currency: string;
  readonly amount: number;
}

/**
 * What the ledger says of an order, from all that is known of it, in whatever order it came. It sums to zero in each currency:
 * what the gateway has for us and what it holds back, against what was sold, the tax in it, and what is the customer's still.
 */
export function ledgerOf(order: Ordered & { readonly taxBasisPoints: number }, facts: readonly Fact[]): Balance[] {
  const money = facts.filter((fact): fact is MoneyFact => 'money' in fact && fact.orderId === order.id);
  const closed = new Set(
    money.flatMap((fact) => (fact.kind === 'dispute_won' || fact.kind === 'dispute_lost' ? fact.disputeId : [])),
  );
  const { state, payment, refunded } = deriveOrder(order, facts);
  const currencies = [...new Set(money.map((fact) => fact.money.currency))].sort();
  return currencies.flatMap((currency) => {
    const sum = (isMeant: (fact: MoneyFact) => boolean) =>
      money.reduce((total, fact) => {
        return fact.money.currency === currency && isMeant(fact) ? total + fact.money.amount : total;
      }, 0);
    const received = sum(({ kind }) => kind === 'payment');
    // A lost dispute may be told as a refund as well; more than was paid is never given back.
    const back = Math.min(
      received,
      sum(({ kind }) => kind === 'refund' || kind === 'dispute_lost'),
    );
    const open = sum((fact) => fact.kind === 'dispute_opened' && !closed.has(fact.disputeId));
    const held = Math.min(received - back, open);
    const isSold = payment !== undefined && state !== 'refunded' && currency === order.money.currency;
    const sold = isSold ? order.money.amount - refunded : 0;
    const tax = taxIn(sold, order.taxBasisPoints);
    return [
      { account: `gateway:${payment?.gateway ?? money[0]?.gateway ?? ''}`, amount: received - back - held },
      { account: `held:${payment?.gateway ?? money[0]?.gateway ?? ''}`, amount: held },
      { account: `sales:${order.item}`, amount: tax - sold },
      { account: 'tax', amount: -tax },
      { account: 'customers', amount: sold - (received - back) },
    ].map((balance) => ({ ...balance, currency }));
  });
}

/** What brings the ledger from what it says to what it is to say. */
export function entriesBetween(now: readonly Balance[], target: readonly Balance[]): Balance[] {
  const key = ({ account, currency }: Balance) => `${currency} ${account}`;
  const is = new Map(now.map((balance) => [key(balance), balance]));
  const to = new Map(target.map((balance) => [key(balance), balance]));
  return [...new Map([...is, ...to])].flatMap(([name, { account, currency }]) => {
    const amount = (to.get(name)?.amount ?? 0) - (is.get(name)?.amount ?? 0);
    return amount === 0 ? [] : [{ account, currency, amount }];
  });
}
