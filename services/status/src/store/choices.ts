import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import type { AudienceChoiceStore } from '../domain/ports.ts';
import { allContactsAudience, type AudienceSelection } from '../domain/status.ts';
import { enqueueFrameForPerson } from './visibility.ts';

export async function readAudience(db: Knex, userId: UserId): Promise<AudienceSelection> {
  const row: { mode: AudienceSelection['mode']; user_ids: UserId[] } | undefined = await db('audiences')
    .where({ user_id: userId })
    .first('mode', 'user_ids');
  return row ? { mode: row.mode, userIds: row.user_ids } : allContactsAudience;
}

/** Stores the audience in the caller's transaction. */
export async function writeAudience(trx: Knex, userId: UserId, { mode, userIds }: AudienceSelection): Promise<void> {
  const row = { user_id: userId, mode, user_ids: [...userIds] };
  await trx('audiences').insert(row).onConflict('user_id').merge();
  await enqueueFrameForPerson(trx, userId, { type: 'status_settings_changed', data: {} });
}

/** @param wake called after a commit that wrote frames */
export function createAudienceChoiceStore(db: Knex, wake: () => void): AudienceChoiceStore {
  return {
    audienceOf: (userId) => readAudience(db, userId),

    async setAudience(userId, audience) {
      await inTransaction(db, (trx) => writeAudience(trx, userId, audience));
      wake();
    },

    async setMute(userId, authorId, muted) {
      const row = { user_id: userId, author_id: authorId };
      const outcome = await inTransaction(db, async (trx) => {
        if (!muted) return (await trx('mutes').where(row).delete()) > 0 ? 'changed' : 'unchanged';
        await trx.raw("select pg_advisory_xact_lock(hashtextextended('mutes ' || ?::text, 0))", [userId]);
        const added: unknown[] = await trx('mutes').insert(row).onConflict().ignore().returning('author_id');
        if (added.length === 0) return 'unchanged';
        const [counted] = await trx('mutes').where({ user_id: userId }).count<{ count: number }[]>('* as count');
        if ((counted?.count ?? 0) <= limits.statusMutesPerUser) return 'changed';
        await trx('mutes').where(row).delete();
        return 'full';
      });
      if (outcome !== 'changed') return outcome !== 'full';
      await inTransaction(db, (trx) =>
        enqueueFrameForPerson(trx, userId, { type: 'status_settings_changed', data: {} }),
      );
      wake();
      return true;
    },
  };
}
