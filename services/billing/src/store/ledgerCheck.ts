import type { Knex } from '@nolo/kit/db';
import { diffLedger, deriveLedger, type Balance } from '../domain/ledger.ts';
import type { LedgerDiscrepancy } from '../domain/ports.ts';
import { fromFactRow, toStoredOrder, type FactRow, type OrderRow } from './rows.ts';

const page = 500;

/**
 * Checks the ledger: it sums to zero in each currency, as does each transaction, and each order's entries follow from
 * the facts.
 */
export async function checkLedger(db: Knex): Promise<LedgerDiscrepancy[]> {
  const sums = (await db('ledger')
    .groupBy('currency')
    .select('currency', db.raw('sum(amount)::bigint as amount'))) as Balance[];
  const faults: LedgerDiscrepancy[] = sums
    .filter(({ amount }) => amount !== 0)
    .map(({ currency }) => ({ orderId: null, currency, what: 'sum' }));
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const orders = await db<OrderRow>('orders').where('id', '>', last).orderBy('id').limit(page);
    const ids = orders.map(({ id }) => id);
    const facts = (await db<FactRow>('facts').whereIn('order_id', ids)).map(fromFactRow);
    const storedBalances = (await db('ledger')
      .whereIn('order_id', ids)
      .groupBy('order_id', 'account', 'currency')
      .select('order_id', 'account', 'currency', db.raw('sum(amount)::bigint as amount'))) as (Balance & {
      order_id: string;
    })[];
    for (const order of orders) {
      const is = storedBalances.filter(({ order_id: id }) => id === order.id);
      const target = deriveLedger(
        toStoredOrder(order),
        facts.filter((fact) => 'orderId' in fact && fact.orderId === order.id),
      );
      for (const { currency } of diffLedger(is, target)) faults.push({ orderId: order.id, currency, what: 'account' });
    }
    if (orders.length < page) return faults;
    last = orders.at(-1)?.id ?? last;
  }
}
