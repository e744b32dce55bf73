import type { BillingFact, MoneyFact, OrderContents } from './facts.ts';
import { deriveOrder } from './orderState.ts';
import { includedTax } from './tax.ts';

/** Balance of a ledger account; positive is debit, negative is credit. */
export interface Balance {
  readonly account: string;
  readonly currency: string;
  readonly amount: number;
}

/**
 * Returns the ledger balances of an order, from all its facts in any order. They sum to zero in each currency: money at
 * the gateway and money it holds back, against sales, included tax, and money that still belongs to the customer.
 */
export function deriveLedger(
  order: OrderContents & { readonly taxBasisPoints: number },
  facts: readonly BillingFact[],
): Balance[] {
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
    // A lost dispute may also be reported as a refund; the total never exceeds the payment.
    const back = Math.min(
      received,
      sum(({ kind }) => kind === 'refund' || kind === 'dispute_lost'),
    );
    const open = sum((fact) => fact.kind === 'dispute_opened' && !closed.has(fact.disputeId));
    const onHoldAmount = Math.min(received - back, open);
    const isSold = payment !== undefined && state !== 'refunded' && currency === order.money.currency;
    const sold = isSold ? order.money.amount - refunded : 0;
    const tax = includedTax(sold, order.taxBasisPoints);
    return [
      { account: `gateway:${payment?.gateway ?? money[0]?.gateway ?? ''}`, amount: received - back - onHoldAmount },
      { account: `held:${payment?.gateway ?? money[0]?.gateway ?? ''}`, amount: onHoldAmount },
      { account: `sales:${order.item}`, amount: tax - sold },
      { account: 'tax', amount: -tax },
      { account: 'customers', amount: sold - (received - back) },
    ].map((balance) => ({ ...balance, currency }));
  });
}

/** Returns the entries that change the ledger from its current to its target balances. */
export function diffLedger(now: readonly Balance[], target: readonly Balance[]): Balance[] {
  const key = ({ account, currency }: Balance) => `${currency} ${account}`;
  const is = new Map(now.map((balance) => [key(balance), balance]));
  const to = new Map(target.map((balance) => [key(balance), balance]));
  return [...new Map([...is, ...to])].flatMap(([name, { account, currency }]) => {
    const amount = (to.get(name)?.amount ?? 0) - (is.get(name)?.amount ?? 0);
    return amount === 0 ? [] : [{ account, currency, amount }];
  });
}
