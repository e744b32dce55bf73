import type { Meeting, User } from '@nolo/api';

export type MeetingFilter = 'all' | 'live' | 'scheduled' | 'past';
export const meetingFilters: readonly MeetingFilter[] = ['all', 'live', 'scheduled', 'past'];

export type MeetingAction =
  'copyLink' | 'copyCode' | 'share' | 'calendar' | 'edit' | 'invite' | 'code' | 'newCode' | 'reopen' | 'cancel' | 'end';

const sharing = ['copyLink', 'copyCode', 'share'] as const;

/** The way in that a card offers: only live ones are joined, and hosts start what is planned. */
export function entranceOf({ status, isHost }: Meeting): 'join' | 'start' | null {
  if (status === 'live') return 'join';
  return status === 'scheduled' && isHost ? 'start' : null;
}

/** What the menu of a card holds, in groups. A code that has ended is not given away; hosts make another one. */
export function actionsOf(meeting: Meeting, selfId: string, codeEnded: boolean): MeetingAction[][] {
  const { status, closed, isHost, hostId, scheduledAt } = meeting;
  // Hosts may open again what ended because everybody had left, and nobody what was ended for good.
  if (status === 'completed') return isHost && !closed ? [['reopen']] : [];
  if (status === 'cancelled') return [];
  const groups: MeetingAction[][] = [
    [...(codeEnded ? [] : sharing), ...(scheduledAt === null ? [] : (['calendar'] as const))],
  ];
  if (isHost) groups.push(['edit', 'invite', codeEnded ? 'newCode' : 'code']);
  if (isHost && status === 'live') groups.push(['end']);
  if (hostId === selfId && status === 'scheduled') groups.push(['cancel']);
  return groups.filter((group) => group.length > 0);
}

const mostAvatars = 3;

/** The faces of a card, and how many people have none there. */
export function facesOf({ participants, participantCount }: Meeting): { faces: User[]; more: number } {
  const faces = participants.slice(0, mostAvatars);
  return { faces, more: Math.max(0, participantCount - faces.length) };
}

export interface MeetingCount {
  count: number;
  /** False while more may come with the next page. */
  exact: boolean;
}

/**
 * How many are live and how many planned for a time. The list has live ones first, then those that have not begun, with or
 * without a time, then past ones, so that a count is exact as soon as something later follows.
 */
export function countMeetings(
  meetings: readonly Meeting[],
  complete: boolean,
): { live: MeetingCount; scheduled: MeetingCount } {
  const live = meetings.filter(({ status }) => status === 'live').length;
  const waiting = meetings.filter(({ status }) => status === 'scheduled');
  const scheduled = waiting.filter(({ scheduledAt }) => scheduledAt !== null).length;
  return {
    live: { count: live, exact: complete || live < meetings.length },
    scheduled: { count: scheduled, exact: complete || live + waiting.length < meetings.length },
  };
}

/** Pages that were loaded one after the other may overlap where a meeting moved in between. */
export function withoutRepeats(meetings: readonly Meeting[]): Meeting[] {
  return [...new Map(meetings.map((meeting) => [meeting.id, meeting])).values()];
}
