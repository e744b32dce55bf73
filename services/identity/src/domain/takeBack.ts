import { limits } from '@nolo/rules';

/** Since when what was changed about the ways to sign in can be taken back. */
export function takeBackSince(now: Date): Date {
  return new Date(now.getTime() - limits.takeBackDays * 86_400_000);
}

/** Until when a number that left its account can take it back. */
export function takeBackUntil(releasedAt: Date): Date {
  return new Date(releasedAt.getTime() + limits.takeBackDays * 86_400_000);
}
