import { inTransaction, type Knex } from '@nolo/kit/db';
import { deliverySubject } from '@nolo/kit/delivery';
import { appendEvents } from '@nolo/kit/events';
import type { ConversationId, MeetingId, UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import type { CallType } from '@nolo/rules';
import {
  createGroupRingEvent,
  createGroupRingFrame,
  type GroupRing,
  type GroupRingStore,
  type RingEndReason,
} from '../domain/groupRing.ts';
import { talkingStates } from './callLookups.ts';
import { fromMeetingRow, type MeetingRow } from './rows.ts';

interface RingRow {
  meeting_id: MeetingId;
  user_id: UserId;
  call_id: string;
  group_id: ConversationId;
  room_code: string;
  caller_id: UserId;
  type: CallType;
  since: Date;
  /**
   * True if it no longer rings. The row stays for the rest of the ring time, so that the next call does not ring for
   * them.
   */
  declined: boolean;
}

const fromRingRow = (row: RingRow): GroupRing => ({
  meetingId: row.meeting_id,
  userId: row.user_id,
  callId: row.call_id,
  groupId: row.group_id,
  roomCode: row.room_code,
  callerId: row.caller_id,
  type: row.type,
  since: row.since,
});

async function enqueueRingFrames(trx: Knex, rows: readonly RingRow[], end?: RingEndReason): Promise<void> {
  const rings = rows.map(fromRingRow);
  await enqueue(trx, ...rings.map((ring) => ({ subject: deliverySubject, payload: createGroupRingFrame(ring, end) })));
  await appendEvents(trx, ...rings.map((ring) => createGroupRingEvent(ring, end)));
}

/** Stops rings in the caller's transaction and publishes it. */
export async function stopGroupRings(
  trx: Knex,
  which: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  end: RingEndReason,
): Promise<void> {
  const ringing = which(trx('group_rings').where({ declined: false }));
  const stopped = end === 'declined' ? ringing.update({ declined: true }) : ringing.delete();
  const rows = (await stopped.returning('*')) as RingRow[];
  await enqueueRingFrames(trx, rows, end);
}

export function createGroupRingStore(db: Knex): GroupRingStore {
  return {
    begin: ({ meetingId, callerId, type, callees }, callId, now) =>
      inTransaction(db, async (trx) => {
        // If two people start at the same moment, it rings once: the second has answered the first.
        const row = await trx<MeetingRow>('meetings').where({ id: meetingId }).forUpdate().first();
        const meeting = row && fromMeetingRow(row);
        if (!meeting || meeting.groupId === null || meeting.closed) return;
        const { groupId, roomCode } = meeting;
        await stopGroupRings(trx, (query) => query.where({ meeting_id: meetingId, user_id: callerId }), 'answered');
        if (meeting.status === 'live') return;
        const known = (await trx('group_rings').where({ meeting_id: meetingId }).select('user_id', 'declined')) as Pick<
          RingRow,
          'user_id' | 'declined'
        >[];
        if (known.some(({ declined }) => !declined)) return;
        const busy = (await trx('call_people')
          .whereIn('user_id', callees)
          .whereIn('state', talkingStates)
          .distinct('user_id')) as { user_id: UserId }[];
        const spared = new Set([...busy, ...known].map(({ user_id }) => user_id));
        const rung = callees.filter((userId) => !spared.has(userId));
        if (rung.length === 0) return;
        const rows = (await trx('group_rings')
          .insert(
            rung.map((userId) => ({
              meeting_id: meetingId,
              user_id: userId,
              call_id: callId,
              group_id: groupId,
              room_code: roomCode,
              caller_id: callerId,
              type,
              since: now,
            })),
          )
          .returning('*')) as RingRow[];
        await enqueueRingFrames(trx, rows);
      }),

    stop: ({ meetingId, userId }, end) =>
      inTransaction(db, (trx) =>
        stopGroupRings(
          trx,
          (query) => query.where({ user_id: userId, ...(meetingId !== undefined && { meeting_id: meetingId }) }),
          end,
        ),
      ),

    async list(userId) {
      const rows = (await db('group_rings')
        .where({ user_id: userId, declined: false })
        .orderBy('since', 'desc')) as RingRow[];
      return rows.map(fromRingRow);
    },

    async first() {
      const row = (await db('group_rings').orderBy('since').first('since')) as { since: Date } | undefined;
      return row?.since;
    },

    stopOlder: (before, limit) =>
      inTransaction(db, async (trx) => {
        await trx('group_rings').where({ declined: true }).where('since', '<=', before).delete();
        await stopGroupRings(
          trx,
          (query) =>
            query.whereIn(
              ['meeting_id', 'user_id'],
              trx('group_rings')
                .where('since', '<=', before)
                .orderBy('since')
                .limit(limit)
                .forUpdate()
                .skipLocked()
                .select('meeting_id', 'user_id'),
            ),
          'missed',
        );
      }),
  };
}
