import type { Knex } from '@nolo/kit/db';

/**
 * Returns when the next meeting or call with a plan limit is due for its end or for the warning `warningMinutes`
 * earlier.
 */
export async function findNextEnding(open: Knex.QueryBuilder, warningMinutes: number): Promise<Date | undefined> {
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
