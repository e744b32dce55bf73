import type { Meeting, User } from '@nolo/api';
import { hasNotBegun } from '@nolo/rules';

export type MeetingFilter = 'all' | 'live' | 'scheduled' | 'past';
export const meetingFilters: readonly MeetingFilter[] = ['all', 'live', 'scheduled', 'past'];

export type MeetingAction =
  'copyLink' | 'copyCode' | 'share' | 'calendar' | 'edit' | 'invite' | 'code' | 'newCode' | 'reopen' | 'cancel' | 'end';

const sharing = ['copyLink', 'copyCode', 'share'] as const;

/** The way in that a card offers: only live ones are joined, and hosts start what is planned. */
export function entranceOf({ status, isHost }: Meeting): 'join' | 'start' | null {
  if (status === 'live') return 'join';
  return hasNotBegun(status) && isHost ? 'start' : null;
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
  if (hostId === selfId && hasNotBegun(status)) groups.push(['cancel']);
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
 * How many are live and how many scheduled, as the filters have them. The list has live ones first, then those that have
 * not begun, then past ones, so that a count is exact as soon as something later follows.
 */
export function countMeetings(
  meetings: readonly Meeting[],
  complete: boolean,
): { live: MeetingCount; scheduled: MeetingCount } {
  const live = meetings.filter(({ status }) => status === 'live').length;
  const scheduled = meetings.filter(({ status }) => status === 'scheduled').length;
  const past = meetings.length - live - meetings.filter(({ status }) => hasNotBegun(status)).length;
  return {
    live: { count: live, exact: complete || live < meetings.length },
    scheduled: { count: scheduled, exact: complete || past > 0 },
  };
}

/** Pages that were loaded one after the other may overlap where a meeting moved in between. */
export function withoutRepeats(meetings: readonly Meeting[]): Meeting[] {
  return [...new Map(meetings.map((meeting) => [meeting.id, meeting])).values()];
}
