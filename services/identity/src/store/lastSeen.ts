import type { Knex } from '@nolo/kit/db';
import { limits } from '@nolo/rules';
import type { LastSeenStore } from '../domain/peoplePorts.ts';

const dayMs = 86_400_000;

export function createLastSeenStore(db: Knex): LastSeenStore {
  return {
    async recordLastSeen(userId, at) {
      await db.raw(
        // The lock prevents storing a time after a change to "nobody" has already deleted it.
        `insert into last_seen (user_id, seen_at)
         select id, date_trunc('minute', ?::timestamptz) from users
         where id = ? and last_seen_visibility <> 'nobody' and presence_status <> 'offline'
         for share
         on conflict (user_id) do update set seen_at = greatest(last_seen.seen_at, excluded.seen_at)`,
        [at, userId],
      );
    },
    async forget(userId) {
      await db('last_seen').where({ user_id: userId }).delete();
    },
    async sweep(now) {
      await db('last_seen')
        .where('seen_at', '<', new Date(now.getTime() - limits.lastSeenKeptDays * dayMs))
        .delete();
    },
  };
}
