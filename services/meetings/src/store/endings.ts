import type { Knex } from '@nolo/kit/db';

/** Of meetings or calls that a plan ends: when the next of them is to be warned, so long before, or ended. */
export async function nextEnding(open: Knex.QueryBuilder, warningMinutes: number): Promise<Date | undefined> {
  const row = (await open
    .whereNotNull('ends_at')
    .select(
      open.client.raw("min(case when warned then ends_at else ends_at - ? * interval '1 minute' end) as next", [
        warningMinutes,
      ]),
    )
    .first()) as { next: Date | null } | undefined;
  return row?.next ?? undefined;
}
