import { inTransaction, type Knex } from '@nolo/kit/db';
import type { FileId, UploadId, UserId } from '@nolo/kit/ids';
import type { StoredPictureUpload, PictureUploadStore } from '../domain/ports.ts';
import type { PicturePurpose } from '../domain/purposes.ts';

interface UploadRow {
  id: UploadId;
  owner_id: UserId;
  purpose: PicturePurpose;
  state: StoredPictureUpload['state'];
  object_id: FileId | null;
  created_at: Date;
  expires_at: Date;
}

function fromRow(row: UploadRow): StoredPictureUpload {
  return {
    id: row.id,
    ownerId: row.owner_id,
    purpose: row.purpose,
    state: row.state,
    objectId: row.object_id ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export function createPictureUploadStore(db: Knex): PictureUploadStore {
  const uploads = (on: Knex = db) => on<UploadRow>('uploads');
  return {
    add: (upload, maxPending) =>
      inTransaction(db, async (trx) => {
        // Two concurrent requests would both count nine.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [upload.ownerId]);
        const open = await uploads(trx)
          .where({ owner_id: upload.ownerId, state: 'pending' })
          .where('expires_at', '>', upload.createdAt)
          .orderBy('expires_at')
          .select('expires_at');
        if (open.length >= maxPending) return open[0]?.expires_at;
        await uploads(trx).insert({
          id: upload.id,
          owner_id: upload.ownerId,
          purpose: upload.purpose,
          state: upload.state,
          created_at: upload.createdAt,
          expires_at: upload.expiresAt,
        });
        return undefined;
      }),

    find: async (id) => {
      const row = await uploads().where({ id }).first();
      return row && fromRow(row);
    },

    remove: async (id) => {
      await uploads().where({ id }).delete();
    },

    listOf: (ownerId) => uploads().where({ owner_id: ownerId }).pluck('id'),

    listStale: (pendingBefore, finishedBefore, limit) =>
      uploads()
        .where((either) => void either.where({ state: 'pending' }).where('created_at', '<', pendingBefore))
        .orWhere((either) => void either.where({ state: 'finished' }).where('created_at', '<', finishedBefore))
        .orderBy('created_at')
        .limit(limit)
        .pluck('id'),
  };
}
