import { deleteInSteps, inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { limits, toUsernameSkeleton } from '@nolo/rules';
import type { UsernameStore } from '../domain/ports.ts';
import { lockAccount } from './signInMethods.ts';

const dayMs = 86_400_000;

/** Usernames given up before this time are free. */
const freeSince = (now: Date) => new Date(now.getTime() - limits.usernameReservedDays * dayMs);

interface Row {
  userId: UserId | null;
  releasedAt: Date | null;
}

/** Gives up the user's username, which stays reserved. */
async function release(trx: Knex, userId: UserId, now: Date): Promise<void> {
  await trx('usernames').where({ user_id: userId }).whereNull('released_at').update({ released_at: now });
}

async function claim(trx: Knex, userId: UserId, username: string, now: Date): Promise<'changed' | 'taken'> {
  const skeleton = toUsernameSkeleton(username);
  // Serializes requests for the same name, so the later one finds it taken.
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 3))', [skeleton]);
  const row: Row | undefined = await trx('usernames')
    .where({ skeleton })
    .first('user_id as userId', 'released_at as releasedAt');
  const isFree = row === undefined || row.userId === userId || (row.releasedAt ?? now) <= freeSince(now);
  if (!isFree) return 'taken';
  await release(trx, userId, now);
  await trx('usernames')
    .insert({ skeleton, username, user_id: userId, since: now, released_at: null })
    .onConflict('skeleton')
    .merge();
  return 'changed';
}

export function createUsernameStore(db: Knex): UsernameStore {
  return {
    set: (userId, username, now) =>
      inTransaction(db, async (trx) => {
        if (!(await lockAccount(trx, userId))) return 'missing';
        const current: { username: string } | undefined = await trx('usernames')
          .where({ user_id: userId })
          .whereNull('released_at')
          .first('username');
        if (current?.username === username) return 'unchanged';
        if (username !== undefined) {
          // Frequent changes would keep names from everyone. Users may reclaim their own.
          const kept: unknown[] = await trx('usernames')
            .where({ user_id: userId })
            .whereNot({ skeleton: toUsernameSkeleton(username) })
            .where('released_at', '>', freeSince(now))
            .select('skeleton');
          if (kept.length >= limits.usernamesReservedPerUser) return 'limit';
          return claim(trx, userId, username, now);
        }
        await release(trx, userId, now);
        return 'changed';
      }),

    async ownerOf(username) {
      const row: { userId: UserId | null } | undefined = await db('usernames')
        .where({ skeleton: toUsernameSkeleton(username), username })
        .whereNull('released_at')
        .whereNotIn('user_id', db('closures').select('user_id'))
        .first('user_id as userId');
      return row?.userId ?? undefined;
    },

    async sweep(now) {
      // A release without usernames deleted their accounts.
      await db('usernames').whereNull('user_id').whereNull('released_at').update({ released_at: now });
      await deleteInSteps(db, 'usernames', (old) => old.where('released_at', '<=', freeSince(now)));
    },
  };
}
