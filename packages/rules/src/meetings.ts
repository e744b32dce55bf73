/** Shared rules of meetings and calls (spec sections 3, 5 and 9; decisions 9, 19 to 23). */

/** Returns true for a call's id. `/meeting/{id}` accepts a room code or a call's id (decision 10). */
export function isCallId(id: string): boolean {
  return /^call-[0-9a-z-]{1,80}$/.test(id);
}

/** Statuses of a meeting. Before it begins, it is `scheduled` for a time, or only `created` (decision 50). */
export const meetingStatuses = ['created', 'scheduled', 'live', 'completed', 'cancelled'] as const;
export type MeetingStatus = (typeof meetingStatuses)[number];

/** Returns true if a meeting still waits for its first participant. */
export const isMeetingNotStarted = (status: MeetingStatus): boolean => status === 'created' || status === 'scheduled';

export const meetingRecurrences = ['none', 'daily', 'weekdays', 'weekly', 'monthly'] as const;
export type MeetingRecurrence = (typeof meetingRecurrences)[number];

export const participantRoles = ['host', 'co_host', 'participant', 'guest'] as const;
export type ParticipantRole = (typeof participantRoles)[number];

/** Source of a track. */
export const mediaSources = ['microphone', 'camera', 'screen', 'screen_audio'] as const;
export type MediaSource = (typeof mediaSources)[number];

export const meetingReactions = ['👍', '👏', '❤️', '😂', '😮', '🎉'] as const;
export type MeetingReaction = (typeof meetingReactions)[number];

export const moderationActions = [
  'admit',
  'deny',
  'mute',
  'ask_to_unmute',
  'stop_video',
  'lower_hand',
  'remove',
  'readmit',
  'make_co_host',
  'make_participant',
] as const;
export type ModerationAction = (typeof moderationActions)[number];

export const callTypes = ['audio', 'video'] as const;
export type CallType = (typeof callTypes)[number];

export const callStatuses = ['ringing', 'connecting', 'connected', 'ended'] as const;
export type CallStatus = (typeof callStatuses)[number];

export const callEndReasons = ['completed', 'declined', 'missed', 'cancelled', 'busy', 'failed'] as const;
export type CallEndReason = (typeof callEndReasons)[number];

/**
 * Returns true if the end of a call is no news: participants who talked or declined know it. Only other ends count as
 * unread.
 */
export function isQuietCallEnd(reason: CallEndReason): boolean {
  return reason === 'completed' || reason === 'declined' || reason === 'failed';
}

/** `?type=voice` is an alias of audio (decision 10); anything else is video. */
export function parseCallType(requestedType: string | null | undefined): CallType {
  return requestedType === 'voice' || requestedType === 'audio' ? 'audio' : 'video';
}

/**
 * Returns the columns and rows of the grid for a number of tiles, including the user's own (decision 22). Excess tiles
 * are on further pages.
 */
export function computeMeetingGrid(tiles: number): { columns: number; rows: number } {
  if (tiles <= 2) return { columns: 1, rows: Math.max(1, tiles) };
  if (tiles <= 4) return { columns: 2, rows: 2 };
  if (tiles <= 9) return { columns: 3, rows: 3 };
  return { columns: 4, rows: 3 };
}
