import { parseCallType, isCallId, normalizeRoomCode, type CallType } from '@nolo/rules';

export interface MeetingAddress {
  roomCode: string;
  /** `?type=voice` joins without a camera. */
  type: CallType;
  /** Token in the fragment, which servers never see (decision 9). */
  inviteToken: string | undefined;
}

/** Parses `/meeting/{room code or call id}?type=video#invite=token`. */
export function readMeetingAddress(id: string, search: string, hash: string): MeetingAddress {
  return {
    roomCode: isCallId(id) ? id : normalizeRoomCode(id),
    type: parseCallType(new URLSearchParams(search).get('type')),
    inviteToken: new URLSearchParams(hash.replace(/^#/, '')).get('invite') ?? undefined,
  };
}
