import type { Meeting, User } from '@nolo/api';
import { isMeetingNotStarted } from '@nolo/rules';

export type MeetingFilter = 'all' | 'live' | 'scheduled' | 'past';
export const meetingFilters: readonly MeetingFilter[] = ['all', 'live', 'scheduled', 'past'];

export type MeetingAction =
  'copyLink' | 'copyCode' | 'share' | 'calendar' | 'edit' | 'invite' | 'code' | 'newCode' | 'reopen' | 'cancel' | 'end';

const sharing = ['copyLink', 'copyCode', 'share'] as const;

/** Returns the action on a card: live meetings can be joined, and hosts can start planned ones. */
export function toEntranceAction({ status, isHost }: Meeting): 'join' | 'start' | null {
  if (status === 'live') return 'join';
  return isMeetingNotStarted(status) && isHost ? 'start' : null;
}

/** Returns the menu of a card, in groups. Expired codes cannot be shared, but hosts can create new ones. */
export function listMeetingActions(meeting: Meeting, selfId: string, codeEnded: boolean): MeetingAction[][] {
  const { status, closed, isHost, hostId, scheduledAt } = meeting;
  // Hosts may reopen a meeting that ended because everyone left. Nobody can reopen one that was ended explicitly.
  if (status === 'completed') return isHost && !closed ? [['reopen']] : [];
  if (status === 'cancelled') return [];
  const groups: MeetingAction[][] = [
    [...(codeEnded ? [] : sharing), ...(scheduledAt === null ? [] : (['calendar'] as const))],
  ];
  if (isHost) groups.push(['edit', 'invite', codeEnded ? 'newCode' : 'code']);
  if (isHost && status === 'live') groups.push(['end']);
  if (hostId === selfId && isMeetingNotStarted(status)) groups.push(['cancel']);
  return groups.filter((group) => group.length > 0);
}

const maxAvatars = 3;

/** Returns the faces of a card, and how many people are not shown. */
export function selectFaces({ participants, participantCount }: Meeting): { faces: User[]; more: number } {
  const faces = participants.slice(0, maxAvatars);
  return { faces, more: Math.max(0, participantCount - faces.length) };
}

export interface MeetingCount {
  count: number;
  /** False if the next page may contain more. */
  exact: boolean;
}

/**
 * Counts live and scheduled meetings as the filters do. The list has live ones first, then future ones, then past ones,
 * so a count is exact once a later kind follows.
 */
export function countMeetings(
  meetings: readonly Meeting[],
  complete: boolean,
): { live: MeetingCount; scheduled: MeetingCount } {
  const live = meetings.filter(({ status }) => status === 'live').length;
  const scheduled = meetings.filter(({ status }) => status === 'scheduled').length;
  const past = meetings.length - live - meetings.filter(({ status }) => isMeetingNotStarted(status)).length;
  return {
    live: { count: live, exact: complete || live < meetings.length },
    scheduled: { count: scheduled, exact: complete || past > 0 },
  };
}
