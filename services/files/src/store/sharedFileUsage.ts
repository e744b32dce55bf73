import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { SharedFileStore } from '../domain/sharedPorts.ts';

/** Returns the bytes that an account stores, and the number of its open uploads. */
export const countUsage = async (on: Knex, ownerId: UserId): Promise<{ bytes: number; open: number }> => {
  const row = await on('shared_files')
    .where({ owner_id: ownerId })
    .whereNot({ state: 'given_up' })
    .sum({ bytes: 'stored_bytes' })
    .count({ open: on.raw("case when state = 'open' then 1 end") })
    .first<{ bytes: string | null; open: string } | undefined>();
  // A sum of bigint is numeric, which pg returns as text.
  return { bytes: Number(row?.bytes ?? 0), open: Number(row?.open ?? 0) };
};

/** Reads the amounts that accounts store. */
export function createSharedFileUsageStore(db: Knex): Pick<SharedFileStore, 'usage' | 'usageOf'> {
  return {
    usage: async (ownerId) => (await countUsage(db, ownerId)).bytes,

    async usageOf({ after, limit, ownerIds }) {
      const query = db('shared_files')
        .whereNot({ state: 'given_up' })
        .groupBy('owner_id')
        .orderBy('owner_id')
        .limit(limit)
        .select('owner_id as userId', db.raw('sum(stored_bytes)::bigint as amount'));
      if (after !== undefined) void query.where('owner_id', '>', after);
      if (ownerIds.length > 0) void query.whereIn('owner_id', [...ownerIds]);
      const found = (await query) as { userId: string; amount: number }[];
      const known = new Set(found.map(({ userId }) => userId));
      return [...found, ...ownerIds.filter((id) => !known.has(id)).map((userId) => ({ userId, amount: 0 }))];
    },
  };
}
