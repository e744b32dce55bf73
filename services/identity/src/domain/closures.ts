import { limits } from '@nolo/rules';

/** When an account that is closed now is deleted. */
export function deletesAtOf(closedAt: Date): Date {
  return new Date(closedAt.getTime() + limits.accountGraceDays * 86_400_000);
}
