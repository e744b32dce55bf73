import { inTransaction, type Knex } from '@nolo/kit/db';
import type { FileId, UserId } from '@nolo/kit/ids';
import { createTurns } from '@nolo/kit/turns';
import type { FileKind, ThumbnailWidth } from '@nolo/rules';
import type { IncomingKey } from '../domain/incoming.ts';
import {
  attachingMs,
  parseKind,
  releasingMs,
  type OpenFile,
  type ReadyFile,
  type SharedFile,
} from '../domain/sharedFiles.ts';
import type { SharedFileStore } from '../domain/sharedPorts.ts';
import { uploadLimit } from '../errors.ts';

interface SharedFileRow {
  id: FileId;
  owner_id: UserId;
  state: 'open' | 'ready' | 'given_up';
  multipart: boolean;
  storage_upload_id: string | null;
  incoming_key: IncomingKey | null;
  name: string;
  declared_type: string;
  declared_kind: string;
  kind: FileKind | null;
  content_type: string | null;
  size: number;
  stored_bytes: number;
  width: number | null;
  height: number | null;
  thumbnails: ThumbnailWidth[];
  thumbhash: string | null;
  moves: boolean;
  created_at: Date;
  touched_at: Date;
  attached_at: Date | null;
  check_at: Date | null;
}

function fromRow(row: SharedFileRow): SharedFile {
  const begun = {
    id: row.id,
    ownerId: row.owner_id,
    multipart: row.multipart,
    storageUploadId: row.storage_upload_id,
    incomingKey: row.incoming_key,
    declared: { name: row.name, contentType: row.declared_type, kind: parseKind(row.declared_kind) },
    createdAt: row.created_at,
  };
  if (row.kind === null || row.content_type === null) {
    return { ...begun, state: 'open', arrivedBytes: row.stored_bytes } satisfies OpenFile;
  }
  return {
    ...begun,
    state: 'ready',
    kind: row.kind,
    contentType: row.content_type,
    size: row.size,
    storedBytes: row.stored_bytes,
    width: row.width,
    height: row.height,
    thumbnails: row.thumbnails,
    thumbhash: row.thumbhash,
    moves: row.moves,
  } satisfies ReadyFile;
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** @param onChange told of whom the bytes that they keep have changed */
export function createSharedFileStore(
  db: Knex,
  onChange: (ownerIds: readonly UserId[]) => void = () => undefined,
): SharedFileStore {
  const files = (on: Knex = db) => on<SharedFileRow>('shared_files');

  /** Bytes that an account keeps, and how many of its uploads are open. */
  const countOf = async (on: Knex, ownerId: UserId): Promise<{ bytes: number; open: number }> => {
    const row = await on('shared_files')
      .where({ owner_id: ownerId })
      .whereNot({ state: 'given_up' })
      .sum({ bytes: 'stored_bytes' })
      .count({ open: on.raw("case when state = 'open' then 1 end") })
      .first<{ bytes: string | null; open: string } | undefined>();
    // A sum of bigint is numeric, which comes as text.
    return { bytes: Number(row?.bytes ?? 0), open: Number(row?.open ?? 0) };
  };
  const inTurn = createTurns(() => uploadLimit(1_000));
  /**
   * What one account keeps is counted and added to by one request at a time; while they wait for one another they hold
   * no connection that others need.
   */
  const alone = <T>(ownerId: UserId, work: (trx: Knex) => Promise<T>): Promise<T> =>
    inTurn(ownerId, () =>
      inTransaction(db, async (trx) => {
        // The other replicas'.
        await trx.raw("select pg_advisory_xact_lock(hashtextextended('shared ' || ?::text, 0))", [ownerId]);
        return work(trx);
      }),
    );

  const giveUp = async (which: (query: Knex.QueryBuilder<SharedFileRow>) => unknown): Promise<void> => {
    const query = files().whereNot({ state: 'given_up' });
    which(query);
    const rows = (await query.update({ state: 'given_up' }, ['owner_id'])) as { owner_id: UserId }[];
    onChange([...new Set(rows.map(({ owner_id: ownerId }) => ownerId))]);
  };

  return {
    begin: (file, allowed) =>
      alone(file.ownerId, async (trx) => {
        const { open, bytes: used } = await countOf(trx, file.ownerId);
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
      return row && fromRow(row);
    },

    findAll: async (ids) => {
      const rows = await files().whereIn('id', ids).whereNot({ state: 'given_up' });
      return rows.map(fromRow);
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
        const known = fromRow(now);
        if (known.state === 'ready') return known;
        const others = (await countOf(trx, now.owner_id)).bytes - now.stored_bytes;
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
        const file = ready && fromRow(ready);
        onChange([now.owner_id]);
        return file?.state === 'ready' ? file : undefined;
      });
    },

    attaching: async (ids, at) => {
      const soon = later(at, attachingMs);
      // The later of both: an upload of today stays for its day, whatever becomes of the message.
      await files()
        .whereIn('id', ids)
        .update({ attached_at: at, check_at: db.raw('greatest(check_at, ?::timestamptz)', [soon]) });
    },

    released: async (ids, at) => {
      await files()
        .whereIn('id', ids)
        .update({
          check_at: db.raw('greatest(?::timestamptz, attached_at + make_interval(secs => ?))', [
            later(at, releasingMs),
            attachingMs / 1_000,
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

    usage: async (ownerId) => (await countOf(db, ownerId)).bytes,

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
