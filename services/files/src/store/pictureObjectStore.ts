import { inTransaction, type Knex } from '@nolo/kit/db';
import type { FileId, UploadId } from '@nolo/kit/ids';
import type { PictureObjectStore, OwnerId } from '../domain/ports.ts';
import type { PicturePurpose } from '../domain/purposes.ts';

interface ObjectRow {
  id: FileId;
  owner_id: OwnerId;
  purpose: PicturePurpose;
  /** State. announced: bytes being stored. ready: readable. given_up: bytes to be deleted. */
  state: 'announced' | 'ready' | 'given_up';
  content_type: string;
  size: number;
  created_at: Date;
}

interface FinishedUpload {
  state: 'pending' | 'finished';
  object_id: FileId | null;
}

export function createPictureObjectStore(db: Knex): PictureObjectStore {
  const objects = (on: Knex = db) => on<ObjectRow>('objects');
  return {
    registerPending: async (object, at) => {
      await objects().insert({
        id: object.id,
        owner_id: object.ownerId,
        purpose: object.purpose,
        state: 'announced',
        content_type: object.contentType,
        size: object.size,
        created_at: at,
      });
    },

    commitPicture: (uploadId: UploadId, objectId: FileId) =>
      inTransaction(db, async (trx) => {
        const upload: FinishedUpload | undefined = await trx('uploads')
          .where({ id: uploadId })
          .forUpdate()
          .first('state', 'object_id');
        const pendingObject = await objects(trx)
          .where({ id: objectId, state: 'announced' })
          .forUpdate()
          .first('owner_id', 'purpose');
        if (!upload || upload.state === 'finished' || !pendingObject) {
          const givenUp = await objects(trx).where({ id: objectId }).update({ state: 'given_up' }).returning('id');
          return { objectId: upload?.object_id ?? undefined, givenUp: givenUp.map(({ id }) => id) };
        }
        // Two concurrent pictures of one person are serialized here, and the later one wins.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [pendingObject.owner_id]);
        // The caller that replaces a group's picture discards the old one.
        const earlier =
          pendingObject.purpose === 'profile_image'
            ? await objects(trx)
                .where({ ...pendingObject, state: 'ready' })
                .update({ state: 'given_up' })
                .returning('id')
            : [];
        await objects(trx).where({ id: objectId }).update({ state: 'ready' });
        await trx('uploads').where({ id: uploadId }).update({ state: 'finished', object_id: objectId });
        return { objectId, givenUp: earlier.map(({ id }) => id) };
      }),

    find: async (id) => {
      const row = await objects().where({ id, state: 'ready' }).first();
      if (!row) return undefined;
      return { id: row.id, ownerId: row.owner_id, purpose: row.purpose, contentType: row.content_type, size: row.size };
    },

    giveUp: async (ownerId, purpose) => {
      const rows = await objects()
        .where({ owner_id: ownerId, ...(purpose && { purpose }) })
        // Announced objects belong to a call in progress; the sweep handles abandoned ones.
        .whereNot({ state: 'announced' })
        .update({ state: 'given_up' })
        .returning('id');
      return rows.map(({ id }) => id);
    },

    giveUpOne: async (id, purpose) => {
      const rows = await objects().where({ id, purpose, state: 'ready' }).update({ state: 'given_up' }).returning('id');
      return rows.map((row) => row.id);
    },

    remove: async (id) => {
      await objects().where({ id, state: 'given_up' }).delete();
    },

    listLeftovers: (createdBefore, limit) =>
      inTransaction(db, async (trx) => {
        await objects(trx)
          .where({ state: 'announced' })
          .where('created_at', '<', createdBefore)
          .update({ state: 'given_up' });
        return objects(trx).where({ state: 'given_up' }).orderBy('created_at').limit(limit).pluck('id');
      }),
  };
}
