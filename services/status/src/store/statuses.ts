import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { newId, type FileId, type UserId } from '@nolo/kit/ids';
import { createTurns } from '@nolo/kit/turns';
import { limits, type Encryption, type StatusAudienceMode, type StatusMediaType } from '@nolo/rules';
import type { Posted, StatusStore } from '../domain/ports.ts';
import { postedFrame } from '../domain/frames.ts';
import type { SeenStatus, StatusId } from '../domain/status.ts';
import { postsContended } from '../errors.ts';
import { readAudience, writeAudience } from './choices.ts';
import { isForViewer, isThere, peopleOf, takeBackFrames, tellReaders } from './visibility.ts';

/** Tells files that status updates which named these are gone; others, or messages, may still name them. */
const filesReleased = 'event.status.files_released';

/** Tells that somebody has posted one; of what is in it, and for whom it is, nothing. */
const statusPosted = 'event.status.posted';

interface StatusRow {
  id: StatusId;
  author_id: UserId;
  client_id: string | null;
  media_type: StatusMediaType;
  content: string;
  encryption: Encryption;
  file_id: FileId | null;
  preview_file_id: FileId | null;
  audience_mode: StatusAudienceMode;
  audience_ids: UserId[];
  created_at: Date;
  expires_at: Date;
  removed_at: Date | null;
}

/** How somebody stands to a status update. */
interface Seen {
  view_count?: number;
  has_viewed?: boolean;
  is_muted?: boolean;
}

function fromRow(row: StatusRow & Seen): SeenStatus {
  return {
    id: row.id,
    authorId: row.author_id,
    clientId: row.client_id,
    mediaType: row.media_type,
    content: row.content,
    encryption: row.encryption,
    fileId: row.file_id,
    previewFileId: row.preview_file_id,
    audienceMode: row.audience_mode,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    viewCount: row.view_count ?? 0,
    hasViewed: row.has_viewed ?? false,
    isMuted: row.is_muted ?? false,
  };
}

/** Who does not share receipts is told of nobody's. */
const viewCount = `case when exists (select from receipts_off r where r.user_id = s.author_id) then 0
  else (select count(*)::int from views v where v.status_id = s.id and v.shared) end as view_count`;

/** A page of authors, and all that each of them has posted: by the author's index, however much others have posted. */
const othersSql = `
  with authors as (
    select people.user_id as author_id, newest.created_at as latest
    from (${peopleOf('cast(:viewer as uuid)')}) people cross join lateral (
      select s.created_at from statuses s where s.author_id = people.user_id and ${isThere} and ${isForViewer}
      order by s.created_at desc limit 1
    ) newest
    where cast(:at as timestamptz) is null
      or (newest.created_at, people.user_id) < (cast(:at as timestamptz), cast(:after as uuid))
    order by latest desc, author_id desc limit :authors
  )
  select s.*, a.latest, v.viewer_id is not null as has_viewed, m.user_id is not null as is_muted
  from authors a join statuses s on s.author_id = a.author_id
  left join views v on v.status_id = s.id and v.viewer_id = :viewer
  left join mutes m on m.user_id = :viewer and m.author_id = s.author_id
  where ${isThere} and ${isForViewer}
  order by a.latest desc, s.author_id desc, s.created_at, s.id`;

/** In the transaction that takes status updates away. */
async function release(
  trx: Knex,
  rows: readonly Pick<StatusRow, 'id' | 'author_id' | 'file_id' | 'preview_file_id'>[],
) {
  const fileIds = rows.flatMap((row) => [row.file_id, row.preview_file_id]).filter((id) => id !== null);
  const [first] = rows;
  if (first && fileIds.length > 0) {
    await appendEvents(trx, { subject: filesReleased, key: first.author_id, payload: { fileIds } });
  }
  await takeBackFrames(
    trx,
    rows.map(({ id }) => id),
  );
}

/** Takes away what somebody has posted, in the caller's transaction, and tells whoever could see it. */
export async function deleteOf(trx: Knex, authorId: UserId): Promise<void> {
  const rows = await trx<StatusRow>('statuses').where({ author_id: authorId }).forUpdate();
  await release(trx, rows);
  for (const { id, removed_at: removedAt } of rows) {
    if (removedAt) continue;
    await tellReaders(trx, { id, authorId }, { type: 'status_removed', data: { statusId: id, userId: authorId } });
  }
  await trx('statuses').where({ author_id: authorId }).delete();
}

/** @param wake called after a commit that wrote frames or events. */
export function createStatusStore(db: Knex, wake: () => void): StatusStore {
  const statuses = (on: Knex = db) => on<StatusRow>('statuses');
  const inTurn = createTurns(postsContended);
  /**
   * What one account posts is counted and added to by one request at a time; while they wait for one another they hold no
   * connection that others need.
   */
  const alone = <T>(authorId: UserId, work: (trx: Knex) => Promise<T>): Promise<T> =>
    inTurn(authorId, () =>
      inTransaction(db, async (trx) => {
        // The other replicas'.
        await trx.raw("select pg_advisory_xact_lock(hashtextextended('statuses ' || ?::text, 0))", [authorId]);
        return work(trx);
      }),
    );

  const earlier = async (on: Knex, authorId: UserId, clientId: string, now: Date): Promise<Posted | undefined> => {
    const { rows } = await on.raw<{ rows: (StatusRow & Seen)[] }>(
      `select s.*, ${viewCount} from statuses s where s.author_id = :authorId and s.client_id = :clientId and s.expires_at > :now`,
      { authorId, clientId, now },
    );
    const [row] = rows;
    if (!row) return undefined;
    return row.removed_at ? { kind: 'removed' } : { kind: 'repeated', status: fromRow(row) };
  };

  return {
    findPosted: (authorId, clientId, now) => earlier(db, authorId, clientId, now),

    async post(draft, given, { now, expiresAt }) {
      const { authorId, clientId } = draft;
      const posted = await alone(authorId, async (trx): Promise<Posted> => {
        if (clientId !== null) {
          const before = await earlier(trx, authorId, clientId, now);
          if (before) return before;
          // Over, and the sweep is about to take it away.
          const over = await statuses(trx)
            .where({ author_id: authorId, client_id: clientId })
            .delete(['id', 'author_id', 'file_id', 'preview_file_id']);
          await release(trx, over);
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
        if (!row) throw new Error('A status update vanished in the transaction that posted it.');
        const status = fromRow(row);
        const payload = { statusId: status.id, userId: authorId, expiresAt: expiresAt.toISOString() };
        await appendEvents(trx, { subject: statusPosted, key: authorId, payload });
        await tellReaders(trx, status, postedFrame(status));
        return { kind: 'posted', status };
      });
      if (posted.kind === 'posted') wake();
      return posted;
    },

    async listOwn(viewer, now) {
      const { rows } = await db.raw<{ rows: (StatusRow & Seen)[] }>(
        `select s.*, ${viewCount} from statuses s where s.author_id = :viewer and ${isThere} order by s.created_at, s.id`,
        { viewer, now },
      );
      return rows.map(fromRow);
    },

    async listOthers(viewer, after, limit, now) {
      const { rows } = await db.raw<{ rows: (StatusRow & Seen & { latest: Date })[] }>(othersSql, {
        viewer,
        now,
        at: after?.at ?? null,
        after: after?.userId ?? null,
        authors: limit + 1,
      });
      const authors = [...new Map(rows.map((row) => [row.author_id, row.latest]))];
      const shown = new Set(authors.slice(0, limit).map(([userId]) => userId));
      const last = authors.length > limit ? authors[limit - 1] : undefined;
      return {
        statuses: rows.filter((row) => shown.has(row.author_id)).map(fromRow),
        next: last && { userId: last[0], at: last[1] },
      };
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
        await release(trx, [row]);
        await trx('views').where({ status_id: id }).delete();
        await tellReaders(trx, { id, authorId }, { type: 'status_removed', data: { statusId: id, userId: authorId } });
        const nothing = { content: '', file_id: null, preview_file_id: null, audience_ids: [] };
        await statuses(trx)
          .where({ id })
          .update({ ...nothing, removed_at: now });
        return 'removed';
      });
      if (outcome === 'removed') wake();
      return outcome !== 'missing';
    },

    async deleteExpired(limit, now) {
      const gone = await inTransaction(db, async (trx) => {
        const due = statuses(trx)
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(limit)
          .forUpdate()
          .skipLocked();
        const rows = await due.select('id', 'author_id', 'file_id', 'preview_file_id', 'expires_at');
        if (rows.length === 0) return [];
        await release(trx, rows);
        await statuses(trx)
          .whereIn(
            'id',
            rows.map(({ id }) => id),
          )
          .delete();
        return rows;
      });
      if (gone.length > 0) wake();
      return gone.map((row) => row.expires_at);
    },

    async nextExpiry() {
      const row = await statuses().min<{ at: Date | null } | undefined>('expires_at as at').first();
      return row?.at ?? undefined;
    },
  };
}
