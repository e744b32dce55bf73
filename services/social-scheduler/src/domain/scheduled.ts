import { idFromName } from '@nolo/kit/ids';
import type { Draft, ShownPost } from './posts.ts';

/** A post counts once in the calendar month in which it is to go out, where it was scheduled. */
export interface Scheduled {
  /** What it is counted as; another month is another one. */
  readonly useId: string;
  readonly month: string;
  readonly at: Date;
}

export const countedFeature = 'scheduledPosts';

function scheduled(postId: string, local: string, at: Date): Scheduled {
  const month = local.slice(0, 7);
  return { useId: idFromName(`scheduled ${postId} ${month}`), month, at };
}

/** What writing a post like this counts as; undefined where nothing is counted. */
export function scheduledBy(postId: string, { draft, time }: Draft): Scheduled | undefined {
  return draft === true || !time ? undefined : scheduled(postId, time.local, time.at);
}

type Kept = Pick<ShownPost, 'id' | 'state' | 'scheduledAt' | 'localTime'>;

/** What a post is counted as that is there; one that was taken back is not. */
export function scheduledOf({ id, state, scheduledAt, localTime }: Kept): Scheduled | undefined {
  if (state === 'draft' || state === 'cancelled' || !scheduledAt || localTime === null) return undefined;
  return scheduled(id, localTime, scheduledAt);
}
