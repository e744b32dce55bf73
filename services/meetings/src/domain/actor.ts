import { parseIdOrThrow, type CallId, type ParticipantId } from '@nolo/kit/ids';
import { looksLikeRoomCode } from '@nolo/rules';
import { callInvalid, callNotFound, meetingNotFound, participantUnknown } from '../errors.ts';
import { isCall } from './call.ts';

/** Parses a code. Malformed codes get the same error as unknown ones. */
export function codeFrom(roomCode: string): string {
  if (!looksLikeRoomCode(roomCode)) throw meetingNotFound();
  return roomCode;
}

export function participantFrom(id: string): ParticipantId {
  return parseIdOrThrow(id, participantUnknown);
}

export function callFrom(id: string | undefined): CallId {
  if (id === undefined || !isCall(id)) throw callNotFound();
  return id;
}

/** Parses a tab's own ID. Empty if the caller gave none. */
export function deviceFrom(id = ''): string {
  if (id.length > 100) throw callInvalid('The device id is invalid.');
  return id;
}
