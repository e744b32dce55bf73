import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { newId, type UserId } from '@nolo/kit/ids';
import { createKeyedSerialQueue } from '@nolo/kit/serialQueue';
import { limits } from '@nolo/rules';
import type { PostStatusOutcome, StatusStore } from '../domain/ports.ts';
import { createStatusPostedFrame } from '../domain/frames.ts';
import type { StatusId } from '../domain/status.ts';
import { postsContended } from '../errors.ts';
import { readAudience, writeAudience } from './choices.ts';
import { enqueueFrameForReaders } from './visibility.ts';
import { fromStatusRow, viewCountSql, type StatusViewRow, type StatusRow } from './statusRows.ts';
import { createStatusListStore } from './statusLists.ts';
import { releaseStatusFiles } from './statusRelease.ts';
import { createStatusExpiryStore } from './statusExpiry.ts';

/** Event for a new status update. Contains neither its content nor its audience. */
const statusPosted = 'event.status.posted';

/** Deletes a user's status updates in the caller's transaction and notifies everyone who could see them. */
export async function deleteStatusesOf(trx: Knex, authorId: UserId): Promise<void> {
  const rows = await trx<StatusRow>('statuses').where({ author_id: authorId }).forUpdate();
  await releaseStatusFiles(trx, rows);
  for (const { id, removed_at: removedAt } of rows) {
    if (removedAt) continue;
    await enqueueFrameForReaders(
      trx,
      { id, authorId },
      { type: 'status_removed', data: { statusId: id, userId: authorId } },
    );
  }
  await trx('statuses').where({ author_id: authorId }).delete();
}

/** @param wake called after a commit that wrote frames or events */
export function createStatusStore(db: Knex, wake: () => void): StatusStore {
  const statuses = (on: Knex = db) => on<StatusRow>('statuses');
  const inTurn = createKeyedSerialQueue(postsContended);
  /**
   * Serializes counting and posting per account. Requests wait in memory, so they hold no connections that others need.
   */
  const alone = <T>(authorId: UserId, work: (trx: Knex) => Promise<T>): Promise<T> =>
    inTurn(authorId, () =>
      inTransaction(db, async (trx) => {
        // Serializes with other replicas.
        await trx.raw("select pg_advisory_xact_lock(hashtextextended('statuses ' || ?::text, 0))", [authorId]);
        return work(trx);
      }),
    );

  const earlier = async (
    on: Knex,
    authorId: UserId,
    clientId: string,
    now: Date,
  ): Promise<PostStatusOutcome | undefined> => {
    const { rows } = await on.raw<{ rows: (StatusRow & StatusViewRow)[] }>(
      `select s.*, ${viewCountSql} from statuses s where s.author_id = :authorId and s.client_id = :clientId and s.expires_at > :now`,
      { authorId, clientId, now },
    );
    const [row] = rows;
    if (!row) return undefined;
    return row.removed_at ? { kind: 'removed' } : { kind: 'repeated', status: fromStatusRow(row) };
  };

  return {
    ...createStatusExpiryStore(db, wake),

    ...createStatusListStore(db),

    findPosted: (authorId, clientId, now) => earlier(db, authorId, clientId, now),

    async post(draft, given, { now, expiresAt }) {
      const { authorId, clientId } = draft;
      const posted = await alone(authorId, async (trx): Promise<PostStatusOutcome> => {
        if (clientId !== null) {
          const before = await earlier(trx, authorId, clientId, now);
          if (before) return before;
          // The update has expired, and the sweep is about to delete it.
          const over = await statuses(trx)
            .where({ author_id: authorId, client_id: clientId })
            .delete(['id', 'author_id', 'file_id', 'preview_file_id']);
          await releaseStatusFiles(trx, over);
        }
        const there = await statuses(trx)
          .where({ author_id: authorId, removed_at: null })
          .where('expires_at', '>', now)
          .count<{ count: number }[]>('* as count');
        if ((there[0]?.count ?? 0) >= limits.statusesPerUser) return { kind: 'full' };
        if (given) await writeAudience(trx, authorId, given);
        const audience = given ?? (await readAudience(trx, authorId));
        const [row] = await statuses(trx).insert(
          {
            id: newId<StatusId>(),
            author_id: authorId,
            client_id: clientId,
            media_type: draft.mediaType,
            content: draft.content,
            encryption: draft.encryption,
            file_id: draft.fileId,
            preview_file_id: draft.previewFileId,
            audience_mode: audience.mode,
            audience_ids: [...audience.userIds],
            created_at: now,
            expires_at: expiresAt,
          },
          '*',
        );
        if (!row) throw new Error('The status update disappeared within the transaction that posted it.');
        const status = fromStatusRow(row);
        const payload = { statusId: status.id, userId: authorId, expiresAt: expiresAt.toISOString() };
        await appendEvents(trx, { subject: statusPosted, key: authorId, payload });
        await enqueueFrameForReaders(trx, status, createStatusPostedFrame(status));
        return { kind: 'posted', status };
      });
      if (posted.kind === 'posted') wake();
      return posted;
    },

    async remove(authorId, id, now) {
      const outcome = await inTransaction(db, async (trx) => {
        const row = await statuses(trx)
          .where({ id, author_id: authorId })
          .where('expires_at', '>', now)
          .forUpdate()
          .first();
        if (!row) return 'missing';
        if (row.removed_at) return 'removed before';
        await releaseStatusFiles(trx, [row]);
        await trx('views').where({ status_id: id }).delete();
        await enqueueFrameForReaders(
          trx,
          { id, authorId },
          { type: 'status_removed', data: { statusId: id, userId: authorId } },
        );
        const nothing = { content: '', file_id: null, preview_file_id: null, audience_ids: [] };
        await statuses(trx)
          .where({ id })
          .update({ ...nothing, removed_at: now });
        return 'removed';
      });
      if (outcome === 'removed') wake();
      return outcome !== 'missing';
    },
  };
}
