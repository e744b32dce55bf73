import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { StatusViewStore } from '../domain/ports.ts';
import {
  isLiveSql,
  isVisibleSql,
  buildIsInAudienceSql,
  buildAudienceMembersSql,
  enqueueFrameForPerson,
} from './visibility.ts';

/**
 * Stores a view. Returns the author and whether it is the first view. Views of people who do not share receipts are
 * stored but never shown.
 */
const addSql = `
  with seen as (
    select s.id, s.author_id from statuses s
    where s.id = :id and ((s.author_id = :viewer and s.removed_at is null and s.expires_at > :now) or (${isVisibleSql}))
  ), added as (
    insert into views (status_id, viewer_id, viewed_at, shared)
    select seen.id, cast(:viewer as uuid), cast(:now as timestamptz), not exists (select from receipts_off r where r.user_id = :viewer)
    from seen where seen.author_id <> :viewer
    on conflict do nothing returning shared
  )
  select seen.author_id, added.shared is not null as is_new,
    coalesce(added.shared, false) and not exists (select from receipts_off r where r.user_id = seen.author_id) as is_notified
  from seen left join added on true`;

const unseenSql = `
  select people.user_id from statuses s cross join lateral (${buildAudienceMembersSql('s.author_id')}) people
  where s.id = :id and ${isLiveSql} and ${buildIsInAudienceSql('people.user_id')}
    and not exists (select from views v where v.status_id = s.id and v.viewer_id = people.user_id)
    and not exists (select from mutes m where m.user_id = people.user_id and m.author_id = s.author_id)
    and (cast(:after as uuid) is null or people.user_id > :after)
    and (cardinality(cast(:among as uuid[])) = 0 or people.user_id = any(:among))
  order by people.user_id limit :limit`;

/** @param wake called after a commit that wrote frames */
export function createStatusViewStore(db: Knex, wake: () => void): StatusViewStore {
  return {
    async add(viewer, id, now) {
      const seen = await inTransaction(db, async (trx) => {
        const { rows } = await trx.raw<{ rows: { author_id: UserId; is_new: boolean; is_notified: boolean }[] }>(
          addSql,
          {
            viewer,
            id,
            now,
          },
        );
        const [row] = rows;
        if (!row) return undefined;
        const viewed = { statusId: id, userId: viewer, viewedAt: now.toISOString() };
        if (row.is_notified) await enqueueFrameForPerson(trx, row.author_id, { type: 'status_viewed', data: viewed });
        if (row.is_new) await enqueueFrameForPerson(trx, viewer, { type: 'status_seen', data: { statusId: id } });
        return row;
      });
      if (!seen) return undefined;
      if (seen.is_new) wake();
      return seen.is_new ? 'first' : 'repeated';
    },

    async list(authorId, id, { after, limit, now }) {
      const own: { shares: boolean } | undefined = await db('statuses')
        .where({ id, author_id: authorId, removed_at: null })
        .where('expires_at', '>', now)
        .first(db.raw('not exists (select from receipts_off r where r.user_id = author_id) as shares'));
      if (!own) return undefined;
      if (!own.shares) return [];
      const query = db('views')
        .where({ status_id: id, shared: true })
        .orderBy([
          { column: 'viewed_at', order: 'desc' },
          { column: 'viewer_id', order: 'desc' },
        ])
        .limit(limit)
        .select<{ userId: UserId; viewedAt: Date }[]>('viewer_id as userId', 'viewed_at as viewedAt');
      if (after) void query.whereRaw('(viewed_at, viewer_id) < (?::timestamptz, ?::uuid)', [after.at, after.userId]);
      return query;
    },

    async unseenBy(id, { after = null, among, limit, now }) {
      const values = { id, after, among: [...among], limit, now };
      const { rows } = await db.raw<{ rows: { user_id: UserId }[] }>(unseenSql, values);
      return rows.map(({ user_id: userId }) => userId);
    },
  };
}
