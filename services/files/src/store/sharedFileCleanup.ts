import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { attachGraceMs, releaseGraceMs } from '../domain/sharedFiles.ts';
import type { SharedFileStore } from '../domain/sharedPorts.ts';
import type { SharedFileRow } from './sharedFileRows.ts';

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** Finds unused files and discards them. */
export function createSharedFileCleanupStore(
  db: Knex,
  onChange: (ownerIds: readonly UserId[]) => void,
): Pick<
  SharedFileStore,
  | 'attaching'
  | 'released'
  | 'listDue'
  | 'settle'
  | 'giveUpDue'
  | 'giveUp'
  | 'giveUpOf'
  | 'giveUpStale'
  | 'listGivenUp'
  | 'listOpenIncoming'
  | 'remove'
> {
  const files = () => db<SharedFileRow>('shared_files');

  const giveUp = async (which: (query: Knex.QueryBuilder<SharedFileRow>) => unknown): Promise<void> => {
    const query = files().whereNot({ state: 'given_up' });
    which(query);
    const rows = (await query.update({ state: 'given_up' }, ['owner_id'])) as { owner_id: UserId }[];
    onChange([...new Set(rows.map(({ owner_id: ownerId }) => ownerId))]);
  };
  return {
    attaching: async (ids, at) => {
      const soon = later(at, attachGraceMs);
      // Takes the later time: a new upload stays for its first day, whatever happens to the message.
      await files()
        .whereIn('id', ids)
        .update({ attached_at: at, check_at: db.raw('greatest(check_at, ?::timestamptz)', [soon]) });
    },

    released: async (ids, at) => {
      await files()
        .whereIn('id', ids)
        .update({
          check_at: db.raw('greatest(?::timestamptz, attached_at + make_interval(secs => ?))', [
            later(at, releaseGraceMs),
            attachGraceMs / 1_000,
          ]),
        });
    },

    listDue: (at, limit) =>
      files().where({ state: 'ready' }).where('check_at', '<=', at).orderBy('check_at').limit(limit).pluck('id'),

    settle: async (ids, dueAt) => {
      await files().whereIn('id', ids).where('check_at', '<=', dueAt).update({ check_at: null });
    },

    giveUpDue: async (ids, dueAt) => {
      await giveUp((query) => query.whereIn('id', ids).where('check_at', '<=', dueAt));
    },

    giveUp: async (id) => {
      await giveUp((query) => query.where({ id }));
    },

    giveUpOf: async (ownerId) => {
      await giveUp((query) => query.where({ owner_id: ownerId }));
    },

    giveUpStale: async (begunBefore, touchedBefore) => {
      await giveUp((query) => query.where({ state: 'open', multipart: false }).where('touched_at', '<', begunBefore));
      await giveUp((query) => query.where({ state: 'open', multipart: true }).where('touched_at', '<', touchedBefore));
    },

    listGivenUp: async (limit) => {
      const rows = await files()
        .where({ state: 'given_up' })
        .orderBy('created_at')
        .limit(limit)
        .select('id', 'storage_upload_id', 'incoming_key');
      return rows.map((row) => ({ id: row.id, storageUploadId: row.storage_upload_id, incomingKey: row.incoming_key }));
    },

    listOpenIncoming: async (keys) => {
      const rows = await files()
        .where({ state: 'open' })
        .whereIn('incoming_key', keys)
        .select('incoming_key', 'storage_upload_id');
      return new Map(rows.map((row) => [row.incoming_key ?? '', row.storage_upload_id]));
    },

    remove: async (id) => {
      await files().where({ id, state: 'given_up' }).delete();
    },
  };
}
