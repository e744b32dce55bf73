import type { Knex } from '@nolo/kit/db';
import type { StatusStore } from '../domain/ports.ts';
import { isForViewerSql, isLiveSql, buildAudienceMembersSql } from './visibility.ts';
import { fromStatusRow, viewCountSql, type StatusViewRow, type StatusRow } from './statusRows.ts';

/**
 * Selects a page of authors and all their status updates through the author index, so the cost does not depend on
 * others' posts.
 */
const othersSql = `
  with authors as (
    select people.user_id as author_id, newest.created_at as latest
    from (${buildAudienceMembersSql('cast(:viewer as uuid)')}) people cross join lateral (
      select s.created_at from statuses s where s.author_id = people.user_id and ${isLiveSql} and ${isForViewerSql}
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
  where ${isLiveSql} and ${isForViewerSql}
  order by a.latest desc, s.author_id desc, s.created_at, s.id`;

/** Lists status updates that a user sees: their own and those of others. */
export function createStatusListStore(db: Knex): Pick<StatusStore, 'listOwn' | 'listOthers'> {
  return {
    async listOwn(viewer, now) {
      const { rows } = await db.raw<{ rows: (StatusRow & StatusViewRow)[] }>(
        `select s.*, ${viewCountSql} from statuses s where s.author_id = :viewer and ${isLiveSql} order by s.created_at, s.id`,
        { viewer, now },
      );
      return rows.map(fromStatusRow);
    },

    async listOthers(viewer, after, limit, now) {
      const { rows } = await db.raw<{ rows: (StatusRow & StatusViewRow & { latest: Date })[] }>(othersSql, {
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
        statuses: rows.filter((row) => shown.has(row.author_id)).map(fromStatusRow),
        next: last && { userId: last[0], at: last[1] },
      };
    },
  };
}
