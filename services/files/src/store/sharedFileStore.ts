import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { createKeyedSerialQueue } from '@nolo/kit/serialQueue';
import type { SharedFileStore } from '../domain/sharedPorts.ts';
import { uploadRateLimited } from '../errors.ts';
import { toSharedFile, type SharedFileRow } from './sharedFileRows.ts';
import { countUsage, createSharedFileUsageStore } from './sharedFileUsage.ts';
import { createSharedFileCleanupStore } from './sharedFileCleanup.ts';

/**
 * Creates the store.
 *
 * @param onChange receives the accounts whose stored bytes have changed
 */
export function createSharedFileStore(
  db: Knex,
  onChange: (ownerIds: readonly UserId[]) => void = () => undefined,
): SharedFileStore {
  const files = (on: Knex = db) => on<SharedFileRow>('shared_files');

  const inTurn = createKeyedSerialQueue(() => uploadRateLimited(1_000));
  /** Serializes counting and adding per account; waiting requests hold no connection. */
  const alone = <T>(ownerId: UserId, work: (trx: Knex) => Promise<T>): Promise<T> =>
    inTurn(ownerId, () =>
      inTransaction(db, async (trx) => {
        // The lock serializes other replicas.
        await trx.raw("select pg_advisory_xact_lock(hashtextextended('shared ' || ?::text, 0))", [ownerId]);
        return work(trx);
      }),
    );

  return {
    ...createSharedFileCleanupStore(db, onChange),
    ...createSharedFileUsageStore(db),

    begin: (file, allowed) =>
      alone(file.ownerId, async (trx) => {
        const { open, bytes: used } = await countUsage(trx, file.ownerId);
        if (open >= allowed.open) return { kind: 'too_many' };
        if (used >= allowed.bytes || used + allowed.size > allowed.bytes) return { kind: 'full', used };
        await files(trx).insert({
          id: file.id,
          owner_id: file.ownerId,
          state: 'open',
          multipart: file.multipart,
          storage_upload_id: file.storageUploadId,
          incoming_key: file.incomingKey,
          name: file.declared.name,
          declared_type: file.declared.contentType,
          declared_kind: file.declared.kind ?? '',
          created_at: file.createdAt,
          touched_at: file.createdAt,
        });
        return undefined;
      }),

    find: async (id) => {
      const row = await files().where({ id }).whereNot({ state: 'given_up' }).first();
      return row && toSharedFile(row);
    },

    findAll: async (ids) => {
      const rows = await files().whereIn('id', ids).whereNot({ state: 'given_up' });
      return rows.map(toSharedFile);
    },

    arrived: async (id, bytes, at) =>
      (await files()
        .where({ id, state: 'open' })
        .update({ stored_bytes: db.raw('stored_bytes + ?', [bytes]), touched_at: at })) > 0,

    makeReady: async (id, made, allowedBytes, checkAt) => {
      const row = await files().where({ id }).whereNot({ state: 'given_up' }).first('owner_id');
      if (!row) return undefined;
      return alone(row.owner_id, async (trx) => {
        const now = await files(trx).where({ id }).whereNot({ state: 'given_up' }).forUpdate().first();
        if (!now) return undefined;
        const known = toSharedFile(now);
        if (known.state === 'ready') return known;
        const others = (await countUsage(trx, now.owner_id)).bytes - now.stored_bytes;
        if (others + made.storedBytes > allowedBytes) return 'full';
        const [ready] = await files(trx)
          .where({ id })
          .update({
            state: 'ready',
            kind: made.kind,
            content_type: made.contentType,
            size: made.size,
            stored_bytes: made.storedBytes,
            width: made.width,
            height: made.height,
            thumbnails: [...made.thumbnails],
            thumbhash: made.thumbhash,
            moves: made.moves,
            check_at: checkAt,
          })
          .returning('*');
        const file = ready && toSharedFile(ready);
        onChange([now.owner_id]);
        return file?.state === 'ready' ? file : undefined;
      });
    },
  };
}
