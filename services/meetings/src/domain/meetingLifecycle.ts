import type { Meeting } from './meeting.ts';

const meetingStartedSubject = 'event.meetings.started';
const meetingEndedSubject = 'event.meetings.ended';

/**
 * Builds the event for other services when the first person joins a meeting and when it is over. Undefined if neither
 * happened. `hostId` is the person responsible: the host or, for a call in a group's room, the person who started it.
 */
export function createMeetingLifecycleEvent(was: Meeting, is: Meeting, now: Date) {
  const { id: meetingId, groupId, startedAt, startedBy } = is;
  if (startedAt === null || (was.status === 'live') === (is.status === 'live')) return undefined;
  const hostId = groupId === null ? is.hostId : (startedBy ?? is.hostId);
  const meeting = { meetingId, hostId, groupId, startedAt: startedAt.toISOString() };
  if (is.status === 'live') return { subject: meetingStartedSubject, key: meetingId, payload: meeting };
  const durationSeconds = Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1_000));
  const payload = { ...meeting, endedAt: now.toISOString(), durationSeconds };
  return { subject: meetingEndedSubject, key: meetingId, payload };
}
