import { type Knex, inTransaction } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { MeetingId } from '@nolo/kit/ids';
import { createGroupCallChangedEvent } from '../domain/groupCall.ts';
import { createMeetingLifecycleEvent } from '../domain/meetingLifecycle.ts';
import type { Meeting } from '../domain/meeting.ts';
import type { MeetingChange, MeetingStore } from '../domain/ports.ts';
import { notifyHostsOfLobby } from './lobbyNotices.ts';
import {
  fromMeetingRow,
  toStoredStatus,
  toMeetingRow,
  type MeetingRow,
  readFirstMeeting,
  returnUpdatedMeeting,
} from './rows.ts';
import { createMeetingEndingStore } from './meetingEndings.ts';
import { createMeetingListStore } from './meetingLists.ts';
import { createMeetingMembershipStore } from './meetingPeople.ts';
import { createMeetingCodeStore, retryWithFreeMeetingCode } from './meetingCodes.ts';
import { stopGroupRings } from './groupRings.ts';
import { createRecordingStore } from './recordings.ts';

/** Changes the status with the row locked, and writes the group's event in the same transaction. */
const createTurn =
  (db: Knex) => (id: MeetingId, now: Date, step: (was: Meeting) => Record<string, unknown> | undefined) =>
    inTransaction(db, async (trx): Promise<Meeting | undefined> => {
      const row = await trx<MeetingRow>('meetings').where({ id }).forUpdate().first();
      const was = row && fromMeetingRow(row);
      const columns = was && step(was);
      if (!columns) return undefined;
      const [changed] = (await trx('meetings')
        .where({ id })
        .update({ ...columns, updated_at: now })
        .returning('*')) as MeetingRow[];
      if (!changed) return undefined;
      const is = fromMeetingRow(changed);
      const newEvents = [createGroupCallChangedEvent(was, is, now), createMeetingLifecycleEvent(was, is, now)];
      await appendEvents(trx, ...newEvents.filter((event) => event !== undefined));
      // The ringing call has nobody in it.
      if (is.status !== 'live') await stopGroupRings(trx, (query) => query.where({ meeting_id: id }), 'missed');
      return is;
    });

export function createMeetingStore(db: Knex): MeetingStore {
  const turn = createTurn(db);
  return {
    ...createMeetingCodeStore(db),
    ...createRecordingStore(db),

    ...createMeetingListStore(db),
    ...createMeetingEndingStore(db),
    ...createMeetingMembershipStore(db),

    create: (meeting) =>
      retryWithFreeMeetingCode((roomCode) =>
        inTransaction(db, async (trx) => {
          const [row] = (await trx('meetings')
            .insert({ ...toMeetingRow({ ...meeting, roomCode, codeExpiresAt: null }), room_code: roomCode })
            .returning('*')) as MeetingRow[];
          await trx('meeting_people').insert({ meeting_id: meeting.id, user_id: meeting.hostId, role: 'host' });
          if (!row) throw new Error('The meeting was not stored.');
          return fromMeetingRow(row);
        }),
      ),

    findByCode: (roomCode) => readFirstMeeting(db<MeetingRow>('meetings').where({ room_code: roomCode })),

    findOfGroup: (groupId) => readFirstMeeting(db<MeetingRow>('meetings').where({ group_id: groupId, closed: false })),

    findClosed: (roomCode, userId) =>
      readFirstMeeting(
        db<MeetingRow>('meetings')
          .where({ last_room_code: roomCode, closed: true })
          .whereExists(
            db('meeting_people').whereRaw('meeting_id = meetings.id').where({ user_id: userId }).select(db.raw('1')),
          )
          .orderBy('ended_at', 'desc')
          .limit(1),
      ),

    find: (id) => readFirstMeeting(db<MeetingRow>('meetings').where({ id })),

    change: (id, change, now) =>
      returnUpdatedMeeting(
        db<MeetingRow>('meetings')
          .where({ id })
          .update({ ...changedColumns(change), updated_at: now }),
      ),

    begin: (id, { by, startedAt, plan }, now) =>
      turn(id, now, (was) =>
        was.closed || was.status === 'live'
          ? undefined
          : {
              ...changedColumns({ ...plan, status: 'live', startedAt, endedAt: null, ...nothingGoesOn }),
              started_by: by,
            },
      ),

    notifyHostsOfLobby: (id, now) => notifyHostsOfLobby(db, id, now),

    rest: (id, { status, scheduledAt }, now) =>
      turn(id, now, (was) =>
        was.closed || was.status !== 'live'
          ? undefined
          : changedColumns({ status, scheduledAt, endedAt: now, ...nothingGoesOn }),
      ),

    close: (id, status, now) =>
      turn(id, now, (was) =>
        was.closed
          ? undefined
          : {
              status,
              closed: true,
              room_code: null,
              ...changedColumns(nothingGoesOn),
              invite_hash: null,
              ended_at: now,
            },
      ),

    forget: (userId) =>
      inTransaction(db, async (trx) => {
        const hosted = (await trx('meetings').where({ host_id: userId }).select('id', 'closed')) as {
          id: MeetingId;
          closed: boolean;
        }[];
        // The end of a call in progress must still be published.
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

/** State that exists only during a meeting. */
const nothingGoesOn = { endsAt: null, recorderId: null, actingHostId: null } as const;

function changedColumns({ settings, ...change }: MeetingChange): Record<string, unknown> {
  const columns: Record<string, unknown> = {
    name: change.name,
    description: change.description,
    max_participants: change.maxParticipants,
    asked_participants: change.requestedParticipants,
    plan_minutes: change.planMinutes,
    scheduled_at: change.scheduledAt,
    first_at: change.firstAt,
    duration_minutes: change.durationMinutes,
    time_zone: change.timeZone,
    recurrence: change.recurrence,
    locked: change.locked,
    is_recording: change.recorderId === null ? false : undefined,
    recorder_id: change.recorderId,
    acting_host_id: change.actingHostId,
    status: change.status && toStoredStatus(change.status),
    invite_hash: change.inviteHash,
    started_at: change.startedAt,
    ended_at: change.endedAt,
    ends_at: change.endsAt,
    // A meeting with a new end is warned again.
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
