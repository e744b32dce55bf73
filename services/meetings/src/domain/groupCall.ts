import { idFromName } from '@nolo/kit/ids';
import type { Meeting } from './meeting.ts';

export const groupCallChanged = 'event.meetings.group_call_changed';

/**
 * What chat is told when a call begins in the room of a group, and when it ends; undefined where there is nothing to
 * tell. A call that everybody was lost from and that goes on is the same one again.
 */
export function groupCallEvent(was: Meeting, is: Meeting, now: Date) {
  const { id, groupId, startedAt, startedBy, status } = is;
  if (groupId === null || startedAt === null || startedBy === null) return undefined;
  if ((was.status === 'live') === (status === 'live')) return undefined;
  const seconds = Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1_000));
  return {
    subject: groupCallChanged,
    key: groupId,
    payload: {
      groupId,
      // The room is the same for all of them.
      callId: idFromName(`${id} ${startedAt.toISOString()}`),
      startedBy,
      changedAt: now.toISOString(),
      durationSeconds: status === 'live' ? null : seconds,
    },
  };
}
