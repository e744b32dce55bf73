import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { UsageMeter } from '@nolo/installation/usage';
import type { DeliveryState } from '../domain/ports.ts';
import { createPlanLimitError } from '../domain/entitlements.ts';
import { scheduledPostsFeature, type ScheduledPostUsage } from '../domain/scheduledPostUsage.ts';

/** True if the platform may have the post, which then stays counted. */
export const isPossiblyPublished = (delivery: DeliveryState): boolean =>
  delivery === 'published' || delivery === 'needs_review';

/** Counts posts against the plan. */
export function createPostUsageCounter(meter: UsageMeter) {
  /** Reports the previous and the new usage of a post. */
  const recount = async (
    trx: Knex,
    userId: UserId,
    was: ScheduledPostUsage | undefined,
    is: ScheduledPostUsage | undefined,
  ) => {
    if (was?.useId === is?.useId) return;
    const use = { userId, feature: scheduledPostsFeature };
    if (was) await meter.end(trx, { ...use, id: was.useId, at: was.at, amount: 'released' });
    if (is) await meter.end(trx, { ...use, id: is.useId, at: is.at, amount: 1 });
  };

  /** Counts existing posts. Billing also counts those it knows of, if available. */
  const mustBeWithinPlan = async (
    trx: Knex,
    userId: UserId,
    id: string,
    is: ScheduledPostUsage | undefined,
    maxScheduledPosts: number,
  ) => {
    if (!is || maxScheduledPosts === Infinity) return;
    await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 1))', [userId]);
    const [row] = await trx('posts')
      .where({ user_id: userId })
      .whereNot({ id })
      .whereNotNull('scheduled_at')
      .whereNotIn('state', ['draft', 'cancelled'])
      .whereRaw('left(local_time, 7) = ?', [is.month])
      .count('* as count');
    const used = Number(row?.['count'] ?? 0);
    if (used >= maxScheduledPosts) throw createPlanLimitError('scheduledPosts', maxScheduledPosts, used);
  };

  return { recount, mustBeWithinPlan };
}
