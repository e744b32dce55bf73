import { parseIdOrThrow, type CallId, type ParticipantId } from '@nolo/kit/ids';
import { looksLikeRoomCode } from '@nolo/rules';
import { callInvalid, callNotFound, meetingNotFound, participantUnknown } from '../errors.ts';
import { isCallRoomId } from './call.ts';

/** Parses a code. Malformed codes get the same error as unknown ones. */
export function parseRoomCode(roomCode: string): string {
  if (!looksLikeRoomCode(roomCode)) throw meetingNotFound();
  return roomCode;
}

export function parseParticipantId(id: string): ParticipantId {
  return parseIdOrThrow(id, participantUnknown);
}

export function parseCallId(id: string | undefined): CallId {
  if (id === undefined || !isCallRoomId(id)) throw callNotFound();
  return id;
}

/** Parses a tab's own ID. Empty if the caller gave none. */
export function parseDeviceId(id = ''): string {
  if (id.length > 100) throw callInvalid('The device id is invalid.');
  return id;
}
