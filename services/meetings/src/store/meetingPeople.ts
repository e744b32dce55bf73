import { type Knex, inTransaction } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { MeetingId, UserId } from '@nolo/kit/ids';
import type { ParticipantRole } from '@nolo/rules';
import { partEvent } from '../domain/partChanged.ts';
import type { Part } from '../domain/meeting.ts';
import type { MeetingStore } from '../domain/ports.ts';
import { fromPartRow, updatedMeeting, type PartRow } from './rows.ts';

/** Removals without a recorded time sort last. */
const removedAtSql = `coalesce(removed_at, 'epoch'::timestamptz)`;

type StoredPart = PartRow & { meeting_id: MeetingId; user_id: UserId };

/** Stores memberships, who was removed, and who may return. */
export function createMeetingPeople(
  db: Knex,
): Pick<
  MeetingStore,
  'part' | 'partByCode' | 'setPart' | 'setActingHost' | 'setRole' | 'putOut' | 'readmit' | 'removed'
> {
  // A person who hosts while the host is away may do what co-hosts do.
  const partsOf = (userId: UserId) =>
    db<StoredPart>('meeting_people')
      .join('meetings', 'meetings.id', 'meeting_people.meeting_id')
      .where({ user_id: userId })
      .select(
        db.raw(`case when role = 'participant' and acting_host_id = user_id then 'co_host' else role end as role`),
        'admitted',
        'removed',
      ) as unknown as Knex.QueryBuilder;
  const firstPart = async (query: PromiseLike<PartRow[]>): Promise<Part | undefined> => {
    const [row] = await query;
    return row && fromPartRow(row);
  };

  return {
    part: (meetingId, userId) => firstPart(partsOf(userId).where({ meeting_id: meetingId })),

    partByCode: (roomCode, userId) => firstPart(partsOf(userId).where({ room_code: roomCode })),

    async setPart(meetingId, userId, { role, admitted, visitedAt }) {
      const given = Object.fromEntries(
        Object.entries({ role, admitted, visited_at: visitedAt }).filter(([, value]) => value !== undefined),
      );
      const insert = db('meeting_people')
        .insert({ meeting_id: meetingId, user_id: userId, role: 'participant', ...given })
        .onConflict(['meeting_id', 'user_id']);
      await (Object.keys(given).length === 0 ? insert.ignore() : insert.merge(given));
    },

    setActingHost: (id, userId, now) =>
      updatedMeeting(
        db('meetings').where({ id, status: 'live', closed: false }).update({ acting_host_id: userId, updated_at: now }),
      ),

    setRole: (meeting, userId, role, now) =>
      inTransaction(db, async (trx) => {
        await trx('meeting_people')
          .insert({ meeting_id: meeting.id, user_id: userId, role, admitted: true })
          .onConflict(['meeting_id', 'user_id'])
          .merge(['role', 'admitted']);
        const told = partEvent(meeting, { userId, role, removedBy: null }, now);
        if (told) await appendEvents(trx, told);
      }),

    putOut: (meeting, userIds, by, now) =>
      inTransaction(db, async (trx) => {
        const rows = userIds.map((userId) => ({
          meeting_id: meeting.id,
          user_id: userId,
          role: 'participant' as const,
          admitted: false,
          removed: true,
          removed_at: now,
        }));
        const put = (await trx('meeting_people')
          .insert(rows)
          .onConflict(['meeting_id', 'user_id'])
          .merge({
            admitted: false,
            removed: true,
            removed_at: now,
            role: trx.raw(`case when meeting_people.role = 'guest' then 'guest' else 'participant' end`) as never,
          })
          .returning(['user_id', 'role'])) as { user_id: UserId; role: ParticipantRole }[];
        // Guests have no membership in the conversation.
        const told = put
          .filter(({ role }) => role !== 'guest')
          .flatMap(({ user_id: userId, role }) => partEvent(meeting, { userId, role, removedBy: by }, now) ?? []);
        await appendEvents(trx, ...told);
      }),

    readmit: (meeting, userId, now) =>
      inTransaction(db, async (trx) => {
        const [back] = (await trx('meeting_people')
          .where({ meeting_id: meeting.id, user_id: userId, removed: true })
          .whereNot({ role: 'guest' })
          .update({ removed: false, removed_at: null })
          .returning(['role'])) as { role: ParticipantRole }[];
        const told = back && partEvent(meeting, { userId, role: back.role, removedBy: null, readmitted: true }, now);
        if (told) await appendEvents(trx, told);
      }),

    async removed(meetingId, place, limit) {
      const rows = (await db('meeting_people')
        .where({ meeting_id: meetingId, removed: true })
        .whereNot({ role: 'guest' })
        .modify((query) => {
          if (place) query.whereRaw(`(${removedAtSql}, user_id) < (?, ?)`, [place.removedAt, place.userId]);
        })
        .orderByRaw(`${removedAtSql} desc, user_id desc`)
        .limit(limit)
        .select('user_id', 'removed_at')) as { user_id: UserId; removed_at: Date | null }[];
      return rows.map((row) => ({ userId: row.user_id, removedAt: row.removed_at }));
    },
  };
}
