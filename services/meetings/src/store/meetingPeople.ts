import { type Knex, inTransaction } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { MeetingId, UserId } from '@nolo/kit/ids';
import type { ParticipantRole } from '@nolo/rules';
import { createMembershipEvent } from '../domain/membershipChanged.ts';
import type { Membership } from '../domain/meeting.ts';
import type { MeetingStore } from '../domain/ports.ts';
import { fromMembershipRow, returnUpdatedMeeting, type MembershipRow } from './rows.ts';

/** Removals without a recorded time sort last. */
const removedAtSql = `coalesce(removed_at, 'epoch'::timestamptz)`;

type StoredMembership = MembershipRow & { meeting_id: MeetingId; user_id: UserId };

/** Stores memberships, who was removed, and who may return. */
export function createMeetingMembershipStore(
  db: Knex,
): Pick<
  MeetingStore,
  | 'findMembership'
  | 'findMembershipByCode'
  | 'saveMembership'
  | 'setActingHost'
  | 'setRole'
  | 'putOut'
  | 'readmit'
  | 'removed'
> {
  // A person who hosts while the host is away may do what co-hosts do.
  const selectMemberships = (userId: UserId) =>
    db<StoredMembership>('meeting_people')
      .join('meetings', 'meetings.id', 'meeting_people.meeting_id')
      .where({ user_id: userId })
      .select(
        db.raw(`case when role = 'participant' and acting_host_id = user_id then 'co_host' else role end as role`),
        'admitted',
        'removed',
      ) as unknown as Knex.QueryBuilder;
  const readFirstMembership = async (query: PromiseLike<MembershipRow[]>): Promise<Membership | undefined> => {
    const [row] = await query;
    return row && fromMembershipRow(row);
  };

  return {
    findMembership: (meetingId, userId) =>
      readFirstMembership(selectMemberships(userId).where({ meeting_id: meetingId })),

    findMembershipByCode: (roomCode, userId) =>
      readFirstMembership(selectMemberships(userId).where({ room_code: roomCode })),

    async saveMembership(meetingId, userId, { role, admitted, attendedAt }) {
      const given = Object.fromEntries(
        Object.entries({ role, admitted, visited_at: attendedAt }).filter(([, value]) => value !== undefined),
      );
      const insert = db('meeting_people')
        .insert({ meeting_id: meetingId, user_id: userId, role: 'participant', ...given })
        .onConflict(['meeting_id', 'user_id']);
      await (Object.keys(given).length === 0 ? insert.ignore() : insert.merge(given));
    },

    setActingHost: (id, userId, now) =>
      returnUpdatedMeeting(
        db('meetings').where({ id, status: 'live', closed: false }).update({ acting_host_id: userId, updated_at: now }),
      ),

    setRole: (meeting, userId, role, now) =>
      inTransaction(db, async (trx) => {
        await trx('meeting_people')
          .insert({ meeting_id: meeting.id, user_id: userId, role, admitted: true })
          .onConflict(['meeting_id', 'user_id'])
          .merge(['role', 'admitted']);
        const newEvents = createMembershipEvent(meeting, { userId, role, removedBy: null }, now);
        if (newEvents) await appendEvents(trx, newEvents);
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
        const newEvents = put
          .filter(({ role }) => role !== 'guest')
          .flatMap(
            ({ user_id: userId, role }) => createMembershipEvent(meeting, { userId, role, removedBy: by }, now) ?? [],
          );
        await appendEvents(trx, ...newEvents);
      }),

    readmit: (meeting, userId, now) =>
      inTransaction(db, async (trx) => {
        const [back] = (await trx('meeting_people')
          .where({ meeting_id: meeting.id, user_id: userId, removed: true })
          .whereNot({ role: 'guest' })
          .update({ removed: false, removed_at: null })
          .returning(['role'])) as { role: ParticipantRole }[];
        const newEvents =
          back && createMembershipEvent(meeting, { userId, role: back.role, removedBy: null, readmitted: true }, now);
        if (newEvents) await appendEvents(trx, newEvents);
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
