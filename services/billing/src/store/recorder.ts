import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { idFromName, type UserId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import type { Clock } from '@nolo/kit/clock';
import type { Fact } from '../domain/facts.ts';
import type { FactStore } from '../domain/ports.ts';
import { mailing } from '../domain/queues.ts';
import { issueReceipt } from './receipts.ts';
import { holdAccount, recordFacts, type Account, type Recorded } from './books.ts';

/** Told where what somebody may do has become another; its payload names the account. */
export const entitlementsChanged = 'event.billing.entitlements_changed';

/** Told when somebody is told by mail of a payment or of a period: `{ userId, about, item }`. */
export const billingTold = 'event.billing.told';

/** Writes what happened, with all that follows from it. */
export interface Recorder extends FactStore {
  /** In one transaction that holds the person's account; `decide` sees all that is known and may do more in it. */
  record(
    userId: UserId,
    decide: (account: Account, trx: Knex) => Promise<readonly Fact[]> | readonly Fact[],
  ): Promise<Recorded>;
  /** The same in a transaction of the caller's, who calls `wake` after it. */
  recordIn(trx: Knex, account: Account, facts: readonly Fact[]): Promise<Recorded>;
  /** Tells services that what these may do has changed, and of owners their teams. */
  tellChanged(trx: Knex, userIds: readonly UserId[]): Promise<void>;
  wake(): void;
}

export interface RecorderDependencies {
  readonly db: Knex;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly clock: Clock;
  /** Who sells, as receipts have it. */
  readonly seller: string;
  readonly wake: () => void;
  /** Told after the transaction. */
  readonly onRecorded?: (recorded: Recorded) => void;
}

export function createRecorder({ db, jobs, clock, seller, wake, onRecorded: told }: RecorderDependencies): Recorder {
  const tellChanged = async (trx: Knex, userIds: readonly UserId[]): Promise<void> => {
    const members = await trx<{ user_id: UserId; owner_id: UserId; state: string }>('team_members')
      .whereIn('owner_id', [...userIds])
      .where({ state: 'member' })
      .select('user_id');
    const all = new Set([...userIds, ...members.map(({ user_id: userId }) => userId)]);
    await appendEvents(
      trx,
      ...[...all].map((userId) => ({ subject: entitlementsChanged, key: userId, payload: { userId } })),
    );
  };

  const onRecorded = async (trx: Knex, { userId, orders, hasNewTimeline, facts }: Recorded): Promise<void> => {
    for (const order of orders) {
      if (order.state !== 'paid') continue;
      const payment = facts.find((fact) => fact.kind === 'payment' && fact.orderId === order.id);
      const isNew = await issueReceipt(trx, order, { seller, paidAt: payment?.at ?? clock.now(), now: clock.now() });
      const id = idFromName(`receipt:${order.id}`);
      if (!isNew) continue;
      await jobs.add(trx, mailing, { userId, about: 'receipt', orderId: order.id }, { id });
      const payload = { userId, about: 'receipt', item: order.item };
      await appendEvents(trx, { subject: billingTold, key: userId, payload });
    }
    if (hasNewTimeline) await tellChanged(trx, [userId]);
  };

  const recordIn = (trx: Knex, account: Account, facts: readonly Fact[]): Promise<Recorded> =>
    recordFacts(trx, account, facts, { now: clock.now(), onRecorded });

  return {
    recordIn,
    tellChanged,
    wake,
    async record(userId, decide) {
      const recorded = await inTransaction(db, async (trx) => {
        const account = await holdAccount(trx, userId);
        return await recordIn(trx, account, await decide(account, trx));
      });
      wake();
      told?.(recorded);
      return recorded;
    },
  };
}
