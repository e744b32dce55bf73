import type { Knex } from '@nolo/kit/db';
import { newestFirstCursor, toPage } from '../domain/cursors.ts';
import type { OrderState } from '../domain/facts.ts';
import type { OrderView } from '../domain/orders.ts';
import { unassignedMoneyFilter, type UnassignedMoney, type OrderStore } from '../domain/ports.ts';
import { findReceipt } from './receipts.ts';
import { toStoredOrder, type OrderRow } from './rows.ts';

type ShownRow = OrderRow & {
  readonly paid_at: Date | null;
  readonly payment_id: string | null;
  readonly receipt_number: string | null;
};

const shownFrom = (row: ShownRow): OrderView => ({
  ...toStoredOrder(row),
  paidAt: row.paid_at,
  paymentId: row.payment_id,
  receiptNumber: row.receipt_number,
});

const shown = (db: Knex) =>
  db('orders as o')
    .leftJoin('receipts as r', 'r.order_id', 'o.id')
    .joinRaw(
      `left join lateral (
        select happened_at as paid_at, content ->> 'paymentId' as payment_id from facts f
        where f.order_id = o.id and f.kind = 'payment' and (f.content -> 'money' ->> 'amount')::bigint = o.amount
          and f.content -> 'money' ->> 'currency' = o.currency
        order by happened_at, id limit 1) p on true`,
    )
    .select('o.*', 'r.number as receipt_number', 'p.paid_at', 'p.payment_id');

/** Returns the customers' credit, by order and currency. */
const leftovers = (db: Knex) =>
  db('ledger').where({ account: 'customers' }).groupBy('order_id', 'currency').havingRaw('sum(amount) < 0');

export function createOrderStore(db: Knex): OrderStore {
  return {
    async get(id) {
      const row = (await shown(db).where('o.id', id).first()) as ShownRow | undefined;
      return row && shownFrom(row);
    },

    async list(filter, cursor, limit) {
      const query = shown(db).orderBy([
        { column: 'o.created_at', order: 'desc' },
        { column: 'o.id', order: 'desc' },
      ]);
      if (filter.userId) void query.where('o.user_id', filter.userId);
      if (filter.state === unassignedMoneyFilter) void query.whereIn('o.id', leftovers(db).select('order_id'));
      else if (filter.state) void query.where('o.state', filter.state);
      const place = newestFirstCursor.read(cursor);
      if (place) void query.whereRaw('(o.created_at, o.id) < (?, ?)', [place.at, place.id]);
      const found = ((await query.limit(limit + 1)) as ShownRow[]).map(shownFrom);
      return toPage(found, limit, ({ createdAt }) => createdAt);
    },

    async findByGateway(gateway, gatewayOrderId, gatewayPaymentId) {
      const byOrder =
        gatewayOrderId !== null &&
        (await db<OrderRow>('orders').where({ gateway, gateway_order_id: gatewayOrderId }).first('id'));
      if (byOrder) return byOrder.id;
      if (gatewayPaymentId === null) return undefined;
      const row = (await db('facts as f')
        .join('orders as o', 'o.id', 'f.order_id')
        .where({ 'f.kind': 'payment', 'o.gateway': gateway })
        .whereRaw(`f.content ->> 'paymentId' = ?`, [gatewayPaymentId])
        .first('o.id')) as { id: string } | undefined;
      return row?.id;
    },

    async setCheckout(id, start) {
      await db('orders')
        .where({ id })
        .update({ checkout: JSON.stringify(start), gateway_order_id: start.gatewayOrderId });
    },

    async overdue(now, limit) {
      const rows = await db<OrderRow>('orders')
        .whereIn('state', ['created', 'redirected'])
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit);
      return rows.map(toStoredOrder);
    },

    async unsettled(since, reconciledBefore, limit) {
      const rows = (await shown(db)
        .whereIn('o.state', ['created', 'redirected', 'expired', 'failed', 'cancelled'])
        .whereNotNull('o.checkout')
        .where('o.created_at', '>', since)
        .whereRaw('coalesce(o.looked_at, o.created_at) < ?', [reconciledBefore])
        .orderByRaw('coalesce(o.looked_at, o.created_at)')
        .limit(limit)) as ShownRow[];
      return rows.map(shownFrom);
    },

    async paid(since, reconciledBefore, limit) {
      const rows = (await shown(db)
        .whereIn('o.state', ['paid', 'disputed'])
        .where('o.created_at', '>', since)
        .whereRaw('coalesce(o.looked_at, o.created_at) < ?', [reconciledBefore])
        .orderByRaw('coalesce(o.looked_at, o.created_at)')
        .limit(limit)) as ShownRow[];
      return rows.map(shownFrom);
    },

    async recordReconciliation(id, at) {
      await db('orders').where({ id }).update({ looked_at: at });
    },

    async leftovers(ids) {
      return (await leftovers(db)
        .whereIn('order_id', [...ids])
        .select('order_id as orderId', 'currency', db.raw('(-sum(amount))::bigint as amount'))) as UnassignedMoney[];
    },

    findReceipt: (orderId) => findReceipt(db, orderId),

    async countByState() {
      return (await db('orders')
        .groupBy('state', 'gateway')
        .select('state', 'gateway', db.raw('count(*)::int as count'))) as {
        state: OrderState;
        gateway: string;
        count: number;
      }[];
    },
  };
}
