import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { idFromName, type UserId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { Clock } from '@nolo/kit/clock';
import type { BillingFact } from '../domain/facts.ts';
import type { FactStore } from '../domain/ports.ts';
import { mailQueue } from '../domain/queues.ts';
import { issueReceipt } from './receipts.ts';
import { lockBillingAccount, recordFacts, type BillingAccount, type RecordedChange } from './books.ts';

/** Published when an account's permissions change; the payload has the account ID. */
const entitlementsChangedSubject = 'event.billing.entitlements_changed';

/** Published when a person is notified by email of a payment or a period: `{ userId, about, item }`. */
export const billingNotifiedSubject = 'event.billing.notified';

/** Records facts and everything derived from them. */
export interface FactRecorder extends FactStore {
  /**
   * Records facts in one transaction that locks the person's account. `decide` sees all known facts and may do more in
   * the transaction.
   */
  record(
    userId: UserId,
    decide: (account: BillingAccount, trx: Knex) => Promise<readonly BillingFact[]> | readonly BillingFact[],
  ): Promise<RecordedChange>;
  /** Records facts in the caller's transaction; the caller calls `wake` after it. */
  recordIn(trx: Knex, account: BillingAccount, facts: readonly BillingFact[]): Promise<RecordedChange>;
  /** Publishes changed permissions of these accounts, and of the teams of owners. */
  publishEntitlementsChanged(trx: Knex, userIds: readonly UserId[]): Promise<void>;
  wake(): void;
}

export interface RecorderDependencies {
  readonly db: Knex;
  readonly jobs: Pick<JobScheduler, 'add'>;
  readonly clock: Clock;
  /** Seller on receipts. */
  readonly seller: string;
  readonly wake: () => void;
  /** Called after the transaction. */
  readonly onRecorded?: (recorded: RecordedChange) => void;
}

export function createFactRecorder({
  db,
  jobs,
  clock,
  seller,
  wake,
  onRecorded: notifyRecorded,
}: RecorderDependencies): FactRecorder {
  const publishEntitlementsChanged = async (trx: Knex, userIds: readonly UserId[]): Promise<void> => {
    const members = await trx<{ user_id: UserId; owner_id: UserId; state: string }>('team_members')
      .whereIn('owner_id', [...userIds])
      .where({ state: 'member' })
      .select('user_id');
    const all = new Set([...userIds, ...members.map(({ user_id: userId }) => userId)]);
    await appendEvents(
      trx,
      ...[...all].map((userId) => ({ subject: entitlementsChangedSubject, key: userId, payload: { userId } })),
    );
  };

  const onRecorded = async (trx: Knex, { userId, orders, hasNewTimeline, facts }: RecordedChange): Promise<void> => {
    for (const order of orders) {
      if (order.state !== 'paid') continue;
      const payment = facts.find((fact) => fact.kind === 'payment' && fact.orderId === order.id);
      const isNew = await issueReceipt(trx, order, { seller, paidAt: payment?.at ?? clock.now(), now: clock.now() });
      const id = idFromName(`receipt:${order.id}`);
      if (!isNew) continue;
      await jobs.add(trx, mailQueue, { userId, about: 'receipt', orderId: order.id }, { id });
      const payload = { userId, about: 'receipt', item: order.item };
      await appendEvents(trx, { subject: billingNotifiedSubject, key: userId, payload });
    }
    if (hasNewTimeline) await publishEntitlementsChanged(trx, [userId]);
  };

  const recordIn = (trx: Knex, account: BillingAccount, facts: readonly BillingFact[]): Promise<RecordedChange> =>
    recordFacts(trx, account, facts, { now: clock.now(), onRecorded });

  return {
    recordIn,
    publishEntitlementsChanged,
    wake,
    async record(userId, decide) {
      const recorded = await inTransaction(db, async (trx) => {
        const account = await lockBillingAccount(trx, userId);
        return await recordIn(trx, account, await decide(account, trx));
      });
      wake();
      notifyRecorded?.(recorded);
      return recorded;
    },
  };
}
