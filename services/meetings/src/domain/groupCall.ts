import { idFromName } from '@nolo/kit/ids';
import type { Meeting } from './meeting.ts';

const groupCallChangedSubject = 'event.meetings.group_call_changed';

/**
 * Builds the event for chat when a call in a group's room begins or ends. Undefined if neither happened. A call that
 * resumes after everyone was lost is still the same call.
 */
export function createGroupCallChangedEvent(was: Meeting, is: Meeting, now: Date) {
  const { id, groupId, startedAt, startedBy, status } = is;
  if (groupId === null || startedAt === null || startedBy === null) return undefined;
  if ((was.status === 'live') === (status === 'live')) return undefined;
  const seconds = Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1_000));
  return {
    subject: groupCallChangedSubject,
    key: groupId,
    payload: {
      groupId,
      // Distinguishes calls, because they share one room.
      callId: idFromName(`${id} ${startedAt.toISOString()}`),
      startedBy,
      changedAt: now.toISOString(),
      durationSeconds: status === 'live' ? null : seconds,
    },
  };
}
