import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { ReceiptContent } from '../domain/receipt.ts';
import { includedTax } from '../domain/tax.ts';
import type { StoredOrder } from '../domain/orders.ts';
import type { Receipt } from '../domain/ports.ts';

interface ReceiptRow {
  number: string;
  order_id: string;
  user_id: UserId;
  issued_at: Date;
  content: ReceiptContent;
}

/**
 * Issues the receipt of a paid order, once; returns false if it exists. Numbers have no gaps because the transaction
 * assigns them.
 */
export async function issueReceipt(
  trx: Knex,
  order: StoredOrder,
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
    buyer: { name: order.buyerName, email: order.email },
    item: order.item,
    seats: order.seats,
    currency: order.money.currency,
    price: order.money.amount + order.credit,
    credit: order.credit,
    amount: order.money.amount,
    tax: {
      name: order.taxName,
      basisPoints: order.taxBasisPoints,
      amount: includedTax(order.money.amount, order.taxBasisPoints),
    },
    gateway: order.gateway,
    paidAt: paidAt.toISOString(),
  };
  await trx('receipts').insert({
    number: `${year}-${String(rows[0].last).padStart(6, '0')}`,
    order_id: order.id,
    user_id: order.userId,
    issued_at: now,
    content: JSON.stringify(content),
  });
  return true;
}

export async function findReceipt(db: Knex, orderId: string): Promise<Receipt | undefined> {
  const row = await db<ReceiptRow>('receipts').where({ order_id: orderId }).first();
  return row && { number: row.number, issuedAt: row.issued_at, content: row.content };
}
