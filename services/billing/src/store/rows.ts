import type { UserId } from '@nolo/kit/ids';
import type { Fact, Ordered } from '../domain/facts.ts';
import type { OrderRow } from '../domain/records.ts';

export interface FactRow {
  id: string;
  user_id: UserId;
  order_id: string | null;
  kind: Fact['kind'];
  happened_at: Date;
  content: Readonly<Record<string, unknown>>;
}

export const orderedOf = (row: OrderRow): Ordered & { taxBasisPoints: number } => ({
  id: row.id,
  userId: row.user_id,
  item: row.item,
  seats: row.seats,
  credit: row.credit,
  money: { amount: row.amount, currency: row.currency },
  taxBasisPoints: row.tax_basis_points,
});

export function factRowOf({ id, userId, at, kind, ...content }: Fact): FactRow {
  const { orderId, ...rest } = content as typeof content & { orderId?: string };
  return { id, user_id: userId, order_id: orderId ?? null, kind, happened_at: at, content: rest };
}

export function factOf(row: FactRow): Fact {
  const until = row.content['until'];
  return {
    ...row.content,
    ...(typeof until === 'string' ? { until: new Date(until) } : {}),
    ...(row.order_id === null ? {} : { orderId: row.order_id }),
    id: row.id,
    userId: row.user_id,
    at: row.happened_at,
    kind: row.kind,
  } as Fact;
}
