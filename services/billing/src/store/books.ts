import { isDeepStrictEqual } from 'node:util';
import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { BillingFact } from '../domain/facts.ts';
import { diffLedger, deriveLedger, type Balance } from '../domain/ledger.ts';
import { deriveOrder } from '../domain/orderState.ts';
import { derivePlanTimeline, emptyPlanTimeline, nextChangeTime, type PlanTimeline } from '../domain/planTimeline.ts';
import type { StoredOrder } from '../domain/orders.ts';
import { fromFactRow, toFactRow, toStoredOrder, type FactRow, type OrderRow } from './rows.ts';

/** Data of a person whose row in accounts is locked until the transaction ends. */
export interface BillingAccount {
  readonly userId: UserId;
  readonly timeline: PlanTimeline;
  readonly orders: readonly StoredOrder[];
  readonly facts: readonly BillingFact[];
}

/** Changes caused by newly recorded facts. */
export interface RecordedChange {
  readonly userId: UserId;
  readonly facts: readonly BillingFact[];
  readonly timeline: PlanTimeline;
  readonly hasNewTimeline: boolean;
  /** Orders whose state changed. */
  readonly orders: readonly StoredOrder[];
}

/** Receives the changes in the same transaction. */
export type RecordListener = (trx: Knex, recorded: RecordedChange) => Promise<void>;

/** Locks the account, waiting for other writers, and returns its latest data. */
export async function lockBillingAccount(trx: Knex, userId: UserId): Promise<BillingAccount> {
  const row = { user_id: userId, timeline: JSON.stringify(emptyPlanTimeline) };
  await trx('accounts').insert(row).onConflict('user_id').ignore();
  const lockedRow = await trx<{ user_id: UserId; timeline: PlanTimeline }>('accounts')
    .where({ user_id: userId })
    .forUpdate()
    .first('timeline');
  const orders = await trx<OrderRow>('orders').where({ user_id: userId }).orderBy('id');
  const facts = await trx<FactRow>('facts').where({ user_id: userId }).orderBy(['happened_at', 'id']);
  return {
    userId,
    timeline: lockedRow?.timeline ?? emptyPlanTimeline,
    orders: orders.map(toStoredOrder),
    facts: facts.map(fromFactRow),
  };
}

/**
 * Records facts and everything derived from them: the state of orders, the ledger, and the person's timeline. Known
 * facts change nothing, so repeated and concurrent calls are idempotent.
 */
export async function recordFacts(
  trx: Knex,
  account: BillingAccount,
  facts: readonly BillingFact[],
  { now, onRecorded }: { now: Date; onRecorded: RecordListener },
): Promise<RecordedChange> {
  const { userId } = account;
  const known = new Set(account.facts.map(({ id }) => id));
  const added = facts.filter(({ id }) => !known.has(id));
  if (added.length === 0) {
    return { userId, facts: [], timeline: account.timeline, hasNewTimeline: false, orders: [] };
  }
  await trx('facts').insert(added.map(toFactRow).map((row) => ({ ...row, content: JSON.stringify(row.content) })));
  const all = [...account.facts, ...added];
  const touched = new Set(added.flatMap((fact) => ('orderId' in fact ? fact.orderId : [])));
  const orders: StoredOrder[] = [];
  for (const order of account.orders) {
    if (!touched.has(order.id)) continue;
    const cause = added.findLast((fact) => 'orderId' in fact && fact.orderId === order.id);
    await postToLedger(trx, order, all, cause?.id ?? order.id);
    const { state, refunded } = deriveOrder(order, all);
    if (state === order.state && refunded === order.refunded) continue;
    const changed = { state, refunded, reason: state === 'failed' ? reasonOf(order.id, all) : '' };
    await trx('orders').where({ id: order.id }).update(changed);
    orders.push({ ...order, ...changed });
  }
  const timeline = derivePlanTimeline({ orders: account.orders, facts: all });
  const hasNewTimeline = !isDeepStrictEqual(timeline, account.timeline);
  if (hasNewTimeline) await writePlanTimeline(trx, userId, timeline, now);
  const recorded = { userId, facts: added, timeline, hasNewTimeline, orders };
  await onRecorded(trx, recorded);
  return recorded;
}

export async function writePlanTimeline(trx: Knex, userId: UserId, timeline: PlanTimeline, now: Date): Promise<void> {
  const next = nextChangeTime(timeline, now.getTime());
  await trx('accounts')
    .where({ user_id: userId })
    .update({ timeline: JSON.stringify(timeline), next_change_at: next === undefined ? null : new Date(next) });
}

const reasonOf = (orderId: string, facts: readonly BillingFact[]): string =>
  facts.flatMap((fact) => (fact.kind === 'failed' && fact.orderId === orderId ? (fact.reason ?? '') : [])).sort()[0] ??
  '';

async function postToLedger(
  trx: Knex,
  order: StoredOrder,
  facts: readonly BillingFact[],
  transactionId: string,
): Promise<void> {
  const storedBalances = (await trx('ledger')
    .where({ order_id: order.id })
    .groupBy('account', 'currency')
    .select('account', 'currency', trx.raw('sum(amount)::bigint as amount'))) as Balance[];
  const entries = diffLedger(storedBalances, deriveLedger(order, facts));
  if (entries.length === 0) return;
  await trx('ledger').insert(entries.map((entry) => ({ ...entry, transaction_id: transactionId, order_id: order.id })));
}
