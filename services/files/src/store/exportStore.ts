import { inTransaction, type Knex } from '@nolo/kit/db';
import { deliverySubject } from '@nolo/kit/delivery';
import { appendEvents } from '@nolo/kit/events';
import type { FileId, UserId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import { enqueue } from '@nolo/kit/outbox';
import {
  exportArchiveQueue,
  failureLifetimeMs,
  type AccountExport,
  type ExportSection,
  type ExportId,
  type ExportStore,
} from '../domain/exports.ts';
import type { PictureObject } from '../domain/ports.ts';
import type { SharedFileStore } from '../domain/sharedPorts.ts';

interface ExportRow {
  id: ExportId;
  owner_id: UserId;
  language: AccountExport['language'];
  state: AccountExport['state'];
  step: AccountExport['step'];
  percent: number;
  size: number | null;
  started_at: Date;
  expires_at: Date | null;
}

interface ObjectRow {
  id: FileId;
  owner_id: UserId;
  purpose: PictureObject['purpose'];
  content_type: string;
  size: number;
}

const columns = ['id', 'owner_id', 'language', 'state', 'step', 'percent', 'size', 'started_at', 'expires_at'] as const;

const fromRow = (row: ExportRow): AccountExport => ({
  id: row.id,
  ownerId: row.owner_id,
  language: row.language,
  state: row.state,
  step: row.step,
  percent: row.percent,
  size: row.size ?? undefined,
  startedAt: row.started_at,
  expiresAt: row.expires_at ?? undefined,
});

type Contents = Pick<ExportStore<Knex>, 'listOwnFiles' | 'addFiles' | 'bytesOfFiles' | 'filesOf' | 'picturesOf'>;

/** Reads and writes the files that an archive includes. */
function createContents(db: Knex, shared: Pick<SharedFileStore, 'findAll'>): Contents {
  return {
    listOwnFiles: (id) =>
      inTransaction(db, async (trx) => {
        await trx('export_files').where({ export_id: id }).delete();
        await trx.raw(
          `insert into export_files (export_id, file_id)
           select exports.id, shared_files.id from exports join shared_files using (owner_id)
           where exports.id = ? and shared_files.state = 'ready'`,
          [id],
        );
      }),

    addFiles: async (id, fileIds) => {
      if (fileIds.length === 0) return;
      const rows = [...new Set(fileIds)].map((fileId) => ({ export_id: id, file_id: fileId }));
      await db('export_files').insert(rows).onConflict().ignore();
    },

    bytesOfFiles: async (id) => {
      const row = await db('export_files')
        .join('shared_files', 'shared_files.id', 'file_id')
        .where({ export_id: id, state: 'ready' })
        .sum({ bytes: 'shared_files.size' })
        .first<{ bytes: string | null } | undefined>();
      return Number(row?.bytes ?? 0);
    },

    async filesOf(id, after, limit) {
      const query = db('export_files')
        .join('shared_files', 'shared_files.id', 'file_id')
        .where({ export_id: id, state: 'ready' })
        .orderBy('file_id')
        .limit(limit);
      if (after !== undefined) void query.where('file_id', '>', after);
      const ids = (await query.pluck('file_id')) as FileId[];
      const known = new Map((await shared.findAll(ids)).map((file) => [file.id, file]));
      return ids.flatMap((one) => {
        const file = known.get(one);
        return file?.state === 'ready' ? file : [];
      });
    },

    picturesOf: async (ownerId) => {
      const rows = await db<ObjectRow>('objects')
        .where({ owner_id: ownerId, state: 'ready' } as Partial<ObjectRow>)
        .select('id', 'owner_id', 'purpose', 'content_type', 'size');
      return rows.map((row) => ({
        id: row.id,
        ownerId: row.owner_id,
        purpose: row.purpose,
        contentType: row.content_type,
        size: row.size,
      }));
    },
  };
}

/** Event for services that notify people without an open page; the app receives a frame. */
const exportReady = 'event.files.export_ready';

/** Notifies the owner's devices of the result of an archive. */
function enqueueExportChanged(trx: Knex, ownerId: UserId, state: 'ready' | 'failed'): Promise<void> {
  const frame = { type: 'export_changed', data: { state } };
  return enqueue(trx, { subject: deliverySubject, payload: { recipients: [ownerId], frame } });
}

/**
 * Creates the store.
 *
 * @param wake called after a commit that wrote to the outbox
 */
export function createExportStore(
  db: Knex,
  jobs: JobScheduler,
  shared: Pick<SharedFileStore, 'findAll'>,
  wake: () => void,
): ExportStore<Knex> {
  const exports = (on: Knex = db) => on<ExportRow>('exports');
  const gone = { state: 'given_up', parts: null } as const;

  /** Discards an archive. A worker that builds it notices at its next step; until then its row remains. */
  const giveUp = async (trx: Knex, ownerId: UserId): Promise<void> => {
    const rows = (await exports(trx)
      .where({ owner_id: ownerId })
      .whereNot({ state: 'given_up' })
      .update(gone)
      .returning('id')) as { id: ExportId }[];
    for (const { id } of rows) await jobs.cancel(trx, exportArchiveQueue, id);
  };

  return {
    ...createContents(db, shared),

    start: (wanted, parts) =>
      inTransaction(db, async (trx) => {
        await trx.raw("select pg_advisory_xact_lock(hashtextextended('export ' || ?::text, 0))", [wanted.ownerId]);
        const running = await exports(trx)
          .where({ owner_id: wanted.ownerId, state: 'running' })
          .first(...columns);
        if (running) return fromRow(running);
        await giveUp(trx, wanted.ownerId);
        await trx('exports').insert({
          id: wanted.id,
          owner_id: wanted.ownerId,
          language: wanted.language,
          state: wanted.state,
          parts: JSON.stringify(parts),
          started_at: wanted.startedAt,
        });
        await jobs.add(trx, exportArchiveQueue, { exportId: wanted.id }, { id: wanted.id });
        return wanted;
      }),

    find: async (id) => {
      const row = await exports()
        .where({ id })
        .first(...columns);
      return row && fromRow(row);
    },

    sections: async (id) => {
      const row = await db('exports').where({ id }).first<{ parts: ExportSection[] | null } | undefined>('parts');
      return row?.parts ?? [];
    },

    findOf: async (ownerId) => {
      const row = await exports()
        .where({ owner_id: ownerId })
        .whereNot({ state: 'given_up' })
        .first(...columns);
      return row && fromRow(row);
    },

    progress: async (id, step, percent) =>
      (await exports().where({ id, state: 'running' }).update({ step, percent })) > 0,

    async ready({ id, size, at, expiresAt }, finish) {
      const owner = await inTransaction(db, async (trx) => {
        const made = { state: 'ready', percent: 100, size, parts: null, ended_at: at, expires_at: expiresAt };
        const [row]: { owner_id: UserId }[] = await trx('exports')
          .where({ id, state: 'running' })
          .update(made, ['owner_id']);
        await trx('export_files').where({ export_id: id }).delete();
        if (row) {
          const payload = { userId: row.owner_id, exportId: id };
          await appendEvents(trx, { subject: exportReady, key: row.owner_id, payload });
          await enqueueExportChanged(trx, row.owner_id, 'ready');
        }
        await finish(trx);
        return row?.owner_id;
      });
      wake();
      return owner !== undefined;
    },

    async fail(id, at, finish) {
      await inTransaction(db, async (trx) => {
        const [row]: { owner_id: UserId }[] = await trx('exports')
          .where({ id, state: 'running' })
          .update({ ...failedAt(at) }, ['owner_id']);
        if (row) await enqueueExportChanged(trx, row.owner_id, 'failed');
        await finish(trx);
      });
      wake();
    },

    giveUpOf: (ownerId) => inTransaction(db, (trx) => giveUp(trx, ownerId)),

    async endOver(now) {
      await exports().where('expires_at', '<=', now).whereNot({ state: 'given_up' }).update(gone);
      // A worker that repeatedly dies leaves a job that is not retried anymore.
      await db('exports')
        .where({ state: 'running' })
        .whereNotExists(db('jobs').whereRaw('jobs.id = exports.id').whereNot({ state: 'parked' }))
        .update(failedAt(now));
      await db('jobs').where({ queue: exportArchiveQueue.name, state: 'parked' }).delete();
    },

    listGivenUp: (limit) =>
      exports()
        .where({ state: 'given_up' })
        .whereNotExists(db('jobs').whereRaw('jobs.id = exports.id'))
        .orderBy('started_at')
        .limit(limit)
        .pluck('id') as unknown as Promise<ExportId[]>,

    remove: async (id) => {
      await exports().where({ id, state: 'given_up' }).delete();
    },
  };
}

const failedAt = (at: Date) => ({
  state: 'failed',
  parts: null,
  ended_at: at,
  expires_at: new Date(at.getTime() + failureLifetimeMs),
});
