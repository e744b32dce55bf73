import type { Knex } from '@nolo/kit/db';
import type { GatewayId } from '@nolo/rules';
import { defineCursor, idPart, timePart } from '@nolo/kit/pages';
import type { PaymentStart } from '../domain/gateway.ts';
import type { OrderState } from '../domain/facts.ts';
import { findReceipt } from './receipts.ts';
import type { OrderFilter, OrderRow, ShownOrder } from '../domain/records.ts';

export type OrderStore = ReturnType<typeof createOrderStore>;

export const listCursor = defineCursor<{ at: Date; id: string }>({ at: timePart, id: idPart() });

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

export function createOrderStore(db: Knex) {
  return {
    async get(id: string, on: Knex = db): Promise<ShownOrder | undefined> {
      return (await shown(on).where('o.id', id).first()) as ShownOrder | undefined;
    },

    /** Newest first; one more than `limit` where there are more. */
    async list(
      filter: OrderFilter,
      cursor: string,
      limit: number,
    ): Promise<{ orders: ShownOrder[]; nextCursor: string }> {
      const query = shown(db).orderBy([
        { column: 'o.created_at', order: 'desc' },
        { column: 'o.id', order: 'desc' },
      ]);
      if (filter.userId) void query.where('o.user_id', filter.userId);
      if (filter.state) void query.where('o.state', filter.state);
      const place = listCursor.read(cursor);
      if (place) void query.whereRaw('(o.created_at, o.id) < (?, ?)', [place.at, place.id]);
      const rows = (await query.limit(limit + 1)) as ShownOrder[];
      const orders = rows.slice(0, limit);
      const last = orders.at(-1);
      const nextCursor = rows.length > limit && last ? listCursor.write({ at: last.created_at, id: last.id }) : '';
      return { orders, nextCursor };
    },

    /** By the gateway's own id of the order or of its payment. */
    async findByGateway(
      gateway: GatewayId,
      gatewayOrderId: string | null,
      gatewayPaymentId: string | null,
    ): Promise<string | undefined> {
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

    async setCheckout(id: string, start: PaymentStart): Promise<void> {
      await db('orders')
        .where({ id })
        .update({ checkout: JSON.stringify(start), gateway_order_id: start.gatewayOrderId });
    },

    /** Orders that nobody paid in their time; the oldest first. */
    async overdue(now: Date, limit: number): Promise<OrderRow[]> {
      return await db<OrderRow>('orders')
        .whereIn('state', ['created', 'redirected'])
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit);
    },

    /** Orders that may have been paid without anybody telling; those first that were not looked at for longest. */
    async unsettled(since: Date, lookedBefore: Date, limit: number): Promise<ShownOrder[]> {
      return (await shown(db)
        .whereIn('o.state', ['created', 'redirected', 'expired', 'failed', 'cancelled'])
        .whereNotNull('o.checkout')
        .where('o.created_at', '>', since)
        .whereRaw('coalesce(o.looked_at, o.created_at) < ?', [lookedBefore])
        .orderByRaw('coalesce(o.looked_at, o.created_at)')
        .limit(limit)) as ShownOrder[];
    },

    async looked(id: string, at: Date): Promise<void> {
      await db('orders').where({ id }).update({ looked_at: at });
    },

    findReceipt: (orderId: string) => findReceipt(db, orderId),

    async countByState(): Promise<{ state: OrderState; gateway: string; count: number }[]> {
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
