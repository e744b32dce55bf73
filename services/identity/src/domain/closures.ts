import { limits } from '@nolo/rules';

/** Returns when an account closed now will be deleted. */
export function computeDeletionTime(closedAt: Date): Date {
  return new Date(closedAt.getTime() + limits.accountGraceDays * 86_400_000);
}
