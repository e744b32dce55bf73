import { limits } from '@nolo/rules';

/** Returns the earliest time from which sign-in changes can still be taken back. */
export function computeUndoWindowStart(now: Date): Date {
  return new Date(now.getTime() - limits.takeBackDays * 86_400_000);
}

/** Returns until when a number that left its account can take it back. */
export function computeUndoWindowEnd(releasedAt: Date): Date {
  return new Date(releasedAt.getTime() + limits.takeBackDays * 86_400_000);
}
