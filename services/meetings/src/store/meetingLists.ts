import type { Knex } from '@nolo/kit/db';
import type { MeetingId, UserId } from '@nolo/kit/ids';
import type { MeetingStore } from '../domain/ports.ts';
import { meetingFilterSql, fromMembershipRow, fromMeetingRow, type MeetingRow, type MembershipRow } from './rows.ts';

/** Sort rank: 0 live, 1 not begun, 2 past. Within each rank, rows are in list order. */
const rankSql = `case status when 'live' then 0 when 'scheduled' then 1 else 2 end`;
const keySql = `case status
  when 'live' then -extract(epoch from coalesce(started_at, created_at))
  when 'scheduled' then extract(epoch from coalesce(scheduled_at, created_at))
  else -extract(epoch from coalesce(ended_at, updated_at)) end`;

/** Lists and counts meetings, and finds who took part in them. */
export function createMeetingListStore(
  db: Knex,
): Pick<MeetingStore, 'list' | 'countHostedBy' | 'countLive' | 'visitors'> {
  return {
    async list(userId, { status, place, limit }) {
      const mine = db('meetings')
        .join('meeting_people', 'meeting_people.meeting_id', 'meetings.id')
        .where({ 'meeting_people.user_id': userId, 'meeting_people.removed': false })
        .select('meetings.*', 'meeting_people.role', 'meeting_people.admitted', 'meeting_people.removed')
        .select(db.raw(`${rankSql} as rank`), db.raw(`(${keySql})::float8 as key`));
      const rows = (await db
        .from(mine.as('mine'))
        .modify((query) => {
          if (status !== undefined) query.whereRaw(meetingFilterSql[status]);
          if (place) query.whereRaw('(rank, key, id) > (?, ?, ?)', [place.rank, place.key, place.id]);
        })
        .orderBy([{ column: 'rank' }, { column: 'key' }, { column: 'id' }])
        .limit(limit)
        .select('*')) as (MeetingRow & MembershipRow & { rank: number; key: number })[];
      return rows.map((row) => ({
        meeting: fromMeetingRow(row),
        membership: fromMembershipRow(row),
        place: { rank: row.rank, key: row.key, id: row.id },
      }));
    },

    async countHostedBy(userId) {
      const [row] = (await db('meetings').where({ host_id: userId }).count('* as count')) as { count: number }[];
      return Number(row?.count ?? 0);
    },

    async countLive() {
      const [row] = (await db('meetings').where({ status: 'live' }).count('* as count')) as { count: number }[];
      return Number(row?.count ?? 0);
    },

    async visitors(meetingIds) {
      if (meetingIds.length === 0) return new Map();
      const { rows } = (await db.raw(
        `select meeting_id, count(*)::int as count,
           coalesce((array_agg(user_id order by visited_at, user_id) filter (where role <> 'guest'))[1:3], '{}') as ids
         from meeting_people
         where meeting_id = any(?) and visited_at is not null
         group by meeting_id`,
        [[...meetingIds]],
      )) as { rows: { meeting_id: MeetingId; count: number; ids: UserId[] }[] };
      return new Map(rows.map(({ meeting_id, count, ids }) => [meeting_id, { count, ids }]));
    },
  };
}
