import type { Knex } from '@nolo/kit/db';
import { inTransaction } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { MeetingId, UserId } from '@nolo/kit/ids';
import { newRoomCode, type ParticipantRole } from '@nolo/rules';
import { groupCallEvent } from '../domain/groupCall.ts';
import { turnEvent } from '../domain/meetingTurned.ts';
import { partEvent } from '../domain/partChanged.ts';
import type { Meeting, Part } from '../domain/meeting.ts';
import type { MeetingChange, MeetingStore } from '../domain/ports.ts';
import { nextEnding } from './endings.ts';
import { knock } from './knocks.ts';
import { fromPartRow, fromRow, toRow, type MeetingRow, type PartRow } from './rows.ts';

/** Of 443 million codes hardly one is taken; more tries than this mean that something else is wrong. */
const mostCodeTries = 8;

/** 0 live, 1 scheduled, 2 past; within each, what comes or came first in the order in which the list shows it. */
const rankSql = `case status when 'live' then 0 when 'scheduled' then 1 else 2 end`;
const keySql = `case status
  when 'live' then -extract(epoch from coalesce(started_at, created_at))
  when 'scheduled' then extract(epoch from coalesce(scheduled_at, created_at))
  else -extract(epoch from coalesce(ended_at, updated_at)) end`;

/** Who was removed before that was written down comes last. */
const removedAtSql = `coalesce(removed_at, 'epoch'::timestamptz)`;

/** That a group has a room already is nothing that another code would change. */
function isUniqueViolation(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint !== 'meetings_group_room';
}

async function withFreeCode<T>(attempt: (code: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(newRoomCode('meeting'));
    } catch (error) {
      if (!isUniqueViolation(error) || tries >= mostCodeTries) throw error;
    }
  }
}

type StoredPart = PartRow & { meeting_id: MeetingId; user_id: UserId };

export function createMeetingStore(db: Knex): MeetingStore {
  const first = async (query: PromiseLike<MeetingRow[]>): Promise<Meeting | undefined> => {
    const [row] = await query;
    return row && fromRow(row);
  };

  const updated = (query: Knex.QueryBuilder) => first(query.returning('*') as unknown as PromiseLike<MeetingRow[]>);

  const partsOf = (userId: UserId) => db<StoredPart>('meeting_people').where({ user_id: userId });
  const firstPart = async (query: PromiseLike<PartRow[]>): Promise<Part | undefined> => {
    const [row] = await query;
    return row && fromPartRow(row);
  };

  /**
   * Takes a step from one status to another, with the row locked. What a group is told of it is written in the same
   * transaction.
   */
  const turn = (id: MeetingId, now: Date, step: (was: Meeting) => Record<string, unknown> | undefined) =>
    inTransaction(db, async (trx): Promise<Meeting | undefined> => {
      const row = await trx<MeetingRow>('meetings').where({ id }).forUpdate().first();
      const was = row && fromRow(row);
      const columns = was && step(was);
      if (!columns) return undefined;
      const [changed] = (await trx('meetings')
        .where({ id })
        .update({ ...columns, updated_at: now })
        .returning('*')) as MeetingRow[];
      if (!changed) return undefined;
      const is = fromRow(changed);
      const told = [groupCallEvent(was, is, now), turnEvent(was, is, now)];
      await appendEvents(trx, ...told.filter((event) => event !== undefined));
      return is;
    });

  return {
    create: (meeting) =>
      withFreeCode((roomCode) =>
        inTransaction(db, async (trx) => {
          const [row] = (await trx('meetings')
            .insert({ ...toRow({ ...meeting, roomCode, codeExpiresAt: null }), room_code: roomCode })
            .returning('*')) as MeetingRow[];
          await trx('meeting_people').insert({ meeting_id: meeting.id, user_id: meeting.hostId, role: 'host' });
          if (!row) throw new Error('The meeting was not stored.');
          return fromRow(row);
        }),
      ),

    findByCode: (roomCode) => first(db<MeetingRow>('meetings').where({ room_code: roomCode })),
    findOfGroup: (groupId) => first(db<MeetingRow>('meetings').where({ group_id: groupId, closed: false })),
    findClosed: (roomCode, userId) =>
      first(
        db<MeetingRow>('meetings')
          .where({ last_room_code: roomCode, closed: true })
          .whereExists(
            db('meeting_people').whereRaw('meeting_id = meetings.id').where({ user_id: userId }).select(db.raw('1')),
          )
          .orderBy('ended_at', 'desc')
          .limit(1),
      ),
    find: (id) => first(db<MeetingRow>('meetings').where({ id })),

    change: (id, change, now) =>
      updated(
        db<MeetingRow>('meetings')
          .where({ id })
          .update({ ...changedColumns(change), updated_at: now }),
      ),

    begin: (id, { by, startedAt, plan }, now) =>
      turn(id, now, (was) =>
        was.closed || was.status === 'live'
          ? undefined
          : {
              ...changedColumns({ ...plan, status: 'live', startedAt, endedAt: null, endsAt: null }),
              started_by: by,
            },
      ),

    knock: (id, now) => knock(db, id, now),

    rest: (id, { status, scheduledAt }, now) =>
      turn(id, now, (was) =>
        was.closed || was.status !== 'live'
          ? undefined
          : changedColumns({ status, scheduledAt, endedAt: now, endsAt: null, recorderId: null }),
      ),

    close: (id, status, now) =>
      turn(id, now, (was) =>
        was.closed
          ? undefined
          : {
              status,
              closed: true,
              room_code: null,
              is_recording: false,
              recorder_id: null,
              invite_hash: null,
              ends_at: null,
              ended_at: now,
            },
      ),

    rotateCode: (id, expiresAt, now) =>
      withFreeCode((roomCode) =>
        updated(
          db<MeetingRow>('meetings')
            .where({ id, closed: false })
            .update({ room_code: roomCode, last_room_code: roomCode, code_expires_at: expiresAt, updated_at: now }),
        ),
      ),

    expireCode: (id, now) =>
      updated(
        db<MeetingRow>('meetings').where({ id, closed: false }).update({ code_expires_at: now, updated_at: now }),
      ),

    claimRecording: (id, participantId, gone, now) =>
      updated(
        db<MeetingRow>('meetings')
          .where({ id, status: 'live', allow_recording: true })
          .where(
            (free) =>
              void free
                .where({ is_recording: false })
                .orWhereNull('recorder_id')
                .orWhereIn('recorder_id', gone === null ? [participantId] : [participantId, gone]),
          )
          .update({ is_recording: true, recorder_id: participantId, updated_at: now }),
      ),

    endRecording: (id, participantId, now) =>
      updated(
        db<MeetingRow>('meetings')
          .where({ id, recorder_id: participantId })
          .update({ is_recording: false, recorder_id: null, updated_at: now }),
      ),

    async list(userId, { status, place, limit }) {
      const mine = db('meetings')
        .join('meeting_people', 'meeting_people.meeting_id', 'meetings.id')
        .where({ 'meeting_people.user_id': userId, 'meeting_people.removed': false })
        .select('meetings.*', 'meeting_people.role', 'meeting_people.admitted', 'meeting_people.removed')
        .select(db.raw(`${rankSql} as rank`), db.raw(`(${keySql})::float8 as key`));
      const rows = (await db
        .from(mine.as('mine'))
        .modify((query) => {
          if (status !== undefined) query.where('rank', { live: 0, scheduled: 1, past: 2 }[status]);
          if (place) query.whereRaw('(rank, key, id) > (?, ?, ?)', [place.rank, place.key, place.id]);
        })
        .orderBy([{ column: 'rank' }, { column: 'key' }, { column: 'id' }])
        .limit(limit)
        .select('*')) as (MeetingRow & PartRow & { rank: number; key: number })[];
      return rows.map((row) => ({
        meeting: fromRow(row),
        part: fromPartRow(row),
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

    part: (meetingId, userId) => firstPart(partsOf(userId).where({ meeting_id: meetingId })),
    partByCode: (roomCode, userId) =>
      firstPart(partsOf(userId).where('meeting_id', '=', db('meetings').select('id').where({ room_code: roomCode }))),

    async setPart(meetingId, userId, { role, admitted, visitedAt }) {
      const given = Object.fromEntries(
        Object.entries({ role, admitted, visited_at: visitedAt }).filter(([, value]) => value !== undefined),
      );
      const insert = db('meeting_people')
        .insert({ meeting_id: meetingId, user_id: userId, role: 'participant', ...given })
        .onConflict(['meeting_id', 'user_id']);
      await (Object.keys(given).length === 0 ? insert.ignore() : insert.merge(given));
    },

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
        // Guests have no part in the conversation.
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

    async visitors(meetingIds) {
      if (meetingIds.length === 0) return new Map();
      const { rows } = (await db.raw(
        `select meeting_id, count(*)::int as count,
           (array_agg(user_id order by visited_at, user_id))[1:3] as ids
         from meeting_people
         where meeting_id = any(?) and visited_at is not null and role <> 'guest'
         group by meeting_id`,
        [[...meetingIds]],
      )) as { rows: { meeting_id: MeetingId; count: number; ids: UserId[] }[] };
      return new Map(rows.map(({ meeting_id, count, ids }) => [meeting_id, { count, ids }]));
    },

    async live(after, limit) {
      const rows = await db<MeetingRow>('meetings')
        .where({ status: 'live' })
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit);
      return rows.map(fromRow);
    },

    async ending(before) {
      const rows = await db<MeetingRow>('meetings')
        .where({ status: 'live' })
        .whereNotNull('ends_at')
        .where('ends_at', '<=', before)
        .orderBy('ends_at')
        .limit(200);
      return rows.map(fromRow);
    },

    async liveUnder(userId) {
      const rows = await db<MeetingRow>('meetings')
        .where({ status: 'live' })
        .whereRaw('case when group_id is null then host_id else coalesce(started_by, host_id) end = ?', [userId]);
      return rows.map(fromRow);
    },

    async putUnderPlan(hostId, { participants, minutes }) {
      await db('meetings')
        .where({ host_id: hostId, closed: false, group_id: null })
        .whereNot({ status: 'live' })
        .update({
          max_participants: db.raw('least(coalesce(asked_participants, max_participants), ?)', [participants]),
          asked_participants: db.raw('coalesce(asked_participants, max_participants)'),
          plan_minutes: minutes,
        });
    },

    nextEnding: (warningMinutes) => nextEnding(db('meetings').where({ status: 'live' }), warningMinutes),

    async markWarned(id) {
      return (await db('meetings').where({ id, warned: false }).update({ warned: true })) > 0;
    },

    forget: (userId) =>
      inTransaction(db, async (trx) => {
        const hosted = (await trx('meetings').where({ host_id: userId }).select('id', 'closed')) as {
          id: MeetingId;
          closed: boolean;
        }[];
        // Of a call that goes on it is still to be told that it has ended.
        await trx('meetings')
          .whereIn('id', trx('meeting_people').where({ user_id: userId }).select('meeting_id'))
          .where({ started_by: userId })
          .whereNot({ status: 'live' })
          .update({ started_by: null });
        await trx('meeting_people').where({ user_id: userId }).delete();
        const over = hosted.filter(({ closed }) => closed).map(({ id }) => id);
        await trx('meetings').whereIn('id', over).delete();
        return hosted.filter(({ closed }) => !closed).map(({ id }) => id);
      }),
  };
}

function changedColumns({ settings, ...change }: MeetingChange): Record<string, unknown> {
  const columns: Record<string, unknown> = {
    name: change.name,
    description: change.description,
    max_participants: change.maxParticipants,
    asked_participants: change.askedParticipants,
    plan_minutes: change.planMinutes,
    scheduled_at: change.scheduledAt,
    duration_minutes: change.durationMinutes,
    time_zone: change.timeZone,
    recurrence: change.recurrence,
    locked: change.locked,
    is_recording: change.recorderId === null ? false : undefined,
    recorder_id: change.recorderId,
    status: change.status,
    invite_hash: change.inviteHash,
    started_at: change.startedAt,
    ended_at: change.endedAt,
    ends_at: change.endsAt,
    // A meeting that gets another end is warned of again.
    warned: change.endsAt === undefined ? undefined : false,
    ...(settings && {
      allow_recording: settings.allowRecording,
      require_auth: settings.requireAuth,
      waiting_room: settings.waitingRoom,
      allow_screen_share: settings.allowScreenShare,
      mute_on_entry: settings.muteOnEntry,
    }),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}
