import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { idFromName, type UserId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import { addOnIds } from '@nolo/rules';
import { planGraceMs, remindedAheadMs, type PaidPeriod } from '../domain/periods.ts';
import { mailQueue } from '../domain/queues.ts';
import type { SubscriptionStore } from '../domain/ports.ts';
import type { PlanTimeline } from '../domain/planTimeline.ts';
import { writePlanTimeline } from './books.ts';
import { billingNotifiedSubject, type FactRecorder } from './recorder.ts';

interface Due {
  user_id: UserId;
  timeline: PlanTimeline;
  next_change_at: Date;
}

interface PeriodNotice {
  readonly about: 'reminder' | 'grace' | 'ended';
  readonly period: PaidPeriod;
}

/**
 * Returns the notices about periods that became due since then. A person who ended the plan is not notified of its end.
 */
function listNoticesBetween({ plan, addOns, isEnding }: PlanTimeline, since: number, now: number): PeriodNotice[] {
  const last = plan.at(-1);
  const periods = [...(last && !isEnding ? [last] : []), ...addOnIds.flatMap((addOn) => addOns[addOn])];
  return periods.flatMap((period) => {
    const moments = [
      ['reminder', period.until - remindedAheadMs],
      ['grace', period.until],
      ['ended', period.until + planGraceMs],
    ] as const;
    // If several are due at once, for example after downtime, only the latest is still true.
    const due = moments.findLast(([, at]) => at > since - 1 && at <= now);
    return due ? [{ about: due[0], period }] : [];
  });
}

/** Refunded periods are no longer part of a timeline. */
const everHadPlan = `(timeline -> 'plan' <> '[]' or timeline -> 'given' <> '[]' or exists (
  select from orders o where o.user_id = accounts.user_id and o.state = 'refunded' and o.item in ('plus', 'business')))`;

export function createSubscriptionStore(
  db: Knex,
  jobs: Pick<JobScheduler, 'add'>,
  recorder: FactRecorder,
): SubscriptionStore {
  const settle = async (trx: Knex, row: Due, now: Date): Promise<void> => {
    const { user_id: userId, timeline, next_change_at: since } = row;
    for (const { about, period } of listNoticesBetween(timeline, since.getTime(), now.getTime())) {
      const what = `${about}:${period.item}:${period.until}`;
      const added = await trx('told')
        .insert({ user_id: userId, what, told_at: now })
        .onConflict(['user_id', 'what'])
        .ignore()
        .returning('what');
      if (added.length === 0) continue;
      const at = new Date(about === 'grace' ? period.until + planGraceMs : period.until).toISOString();
      const id = idFromName(`told:${userId}:${what}`);
      await jobs.add(trx, mailQueue, { userId, about, item: period.item, at }, { id });
      const payload = { userId, about, item: period.item };
      await appendEvents(trx, { subject: billingNotifiedSubject, key: userId, payload });
    }
    await recorder.publishEntitlementsChanged(trx, [userId]);
    await writePlanTimeline(trx, userId, timeline, now);
  };

  return {
    async settleDue(now, limit) {
      const count = await inTransaction(db, async (trx) => {
        const rows = await trx<Due>('accounts')
          .where('next_change_at', '<=', now)
          .orderBy('next_change_at')
          .limit(limit)
          .forUpdate()
          .skipLocked();
        for (const row of rows) await settle(trx, row, now);
        return rows.length;
      });
      if (count > 0) recorder.wake();
      return count;
    },

    async nextDue() {
      const row = (await db('accounts').min('next_change_at as at').first()) as { at: Date | null } | undefined;
      return row?.at ?? undefined;
    },

    async list(userId, after, limit) {
      const query = db<{ user_id: UserId }>('accounts')
        .whereRaw(everHadPlan)
        .orderBy('user_id', 'desc')
        .limit(limit)
        .select('user_id');
      if (userId) void query.where({ user_id: userId });
      if (after !== undefined) void query.where('user_id', '<', after);
      return (await query).map(({ user_id: id }) => id);
    },
  };
}
