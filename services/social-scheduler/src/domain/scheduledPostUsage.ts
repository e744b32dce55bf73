import { idFromName } from '@nolo/kit/ids';
import type { PostInput, ShownPost } from './posts.ts';

/** Usage of a scheduled post. Counts once in the calendar month of publication, in the time zone of scheduling. */
export interface ScheduledPostUsage {
  /** ID under which it is counted. Differs for each month. */
  readonly useId: string;
  readonly month: string;
  readonly at: Date;
}

export const scheduledPostsFeature = 'scheduledPosts';

function scheduled(postId: string, local: string, at: Date): ScheduledPostUsage {
  const month = local.slice(0, 7);
  return { useId: idFromName(`scheduled ${postId} ${month}`), month, at };
}

/** Returns the usage that a draft would cause. Undefined if it does not count. */
export function computePostInputUsage(postId: string, { draft, time }: PostInput): ScheduledPostUsage | undefined {
  return draft === true || !time ? undefined : scheduled(postId, time.local, time.at);
}

type Kept = Pick<ShownPost, 'id' | 'state' | 'scheduledAt' | 'localTime'>;

/** Returns the usage of an existing post. Canceled posts do not count. */
export function computePostUsage({ id, state, scheduledAt, localTime }: Kept): ScheduledPostUsage | undefined {
  if (state === 'draft' || state === 'cancelled' || !scheduledAt || localTime === null) return undefined;
  return scheduled(id, localTime, scheduledAt);
}
