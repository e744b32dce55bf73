import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { MeetingId, UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import type { MeetingRow } from './rows.ts';

/** Event for someone waiting in a meeting's lobby while no host is there. */
const lobbyWaitingSubject = 'event.meetings.lobby_waiting';

/** Minimum interval between notifications of a lobby. */
const quietMs = 60_000;

/** Notifies a meeting's hosts that someone is waiting, unless they were just notified. */
export async function notifyHostsOfLobby(db: Knex, id: MeetingId, now: Date): Promise<void> {
  const latest = new Date(now.getTime() - quietMs);
  await inTransaction(db, async (trx) => {
    const [meeting] = (await trx<MeetingRow & { knocked_at: Date | null }>('meetings')
      .where({ id, closed: false })
      .where((isNotifiable) => void isNotifiable.whereNull('knocked_at').orWhere('knocked_at', '<', latest))
      .update({ knocked_at: now })
      .returning('*')) as MeetingRow[];
    if (!meeting) return;
    const hosts: UserId[] = await trx('meeting_people')
      .where({ meeting_id: id, removed: false })
      .whereIn('role', ['host', 'co_host'])
      .limit(limits.meetingParticipantsMax)
      .pluck('user_id');
    const hostIds = [...new Set([meeting.host_id, ...hosts])];
    const payload = { meetingId: id, roomCode: meeting.room_code ?? meeting.last_room_code, hostIds };
    await appendEvents(trx, { subject: lobbyWaitingSubject, key: id, payload });
  });
}
