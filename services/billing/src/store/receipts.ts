import type { Knex } from '@nolo/kit/db';
import type { ReceiptContent } from '../domain/receipt.ts';
import { taxIn } from '../domain/tax.ts';
import type { OrderRow, ReceiptRow } from '../domain/records.ts';

/** Gives a paid order its receipt, once; false where it has one. No number is left out, for it is counted in the transaction. */
export async function issueReceipt(
  trx: Knex,
  order: OrderRow,
  { seller, paidAt, now }: { seller: string; paidAt: Date; now: Date },
): Promise<boolean> {
  const before = await trx<ReceiptRow>('receipts').where({ order_id: order.id }).first('number');
  if (before) return false;
  const year = now.getUTCFullYear();
  const { rows } = (await trx.raw(
    `insert into receipt_numbers as n (year, last) values (?, 1)
    on conflict (year) do update set last = n.last + 1 returning last`,
    [year],
  )) as { rows: [{ last: number }] };
  const content: ReceiptContent = {
    seller,
    buyer: { name: order.buyer_name, email: order.email },
    item: order.item,
    seats: order.seats,
    currency: order.currency,
    price: order.amount + order.credit,
    credit: order.credit,
    amount: order.amount,
    tax: {
      name: order.tax_name,
      basisPoints: order.tax_basis_points,
      amount: taxIn(order.amount, order.tax_basis_points),
    },
    gateway: order.gateway,
    paidAt: paidAt.toISOString(),
  };
  await trx('receipts').insert({
    number: `${year}-${String(rows[0].last).padStart(6, '0')}`,
    order_id: order.id,
    user_id: order.user_id,
    issued_at: now,
    content: JSON.stringify(content),
  });
  return true;
}

export async function findReceipt(db: Knex, orderId: string): Promise<ReceiptRow | undefined> {
  return await db<ReceiptRow>('receipts').where({ order_id: orderId }).first();
}
