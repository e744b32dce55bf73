import { parseId } from '@nolo/kit/ids';
import { isCallId, looksLikeRoomCode } from '@nolo/rules';
import { callInvalid, callNotFound, failMeetings, meetingNotFound, participantUnknown } from '../errors.ts';

/** The gateway established who acts, so anything but an id is a mistake of ours, not of the person. */
export function actorFrom(id: string): string {
  const actorId = parseId(id);
  if (!actorId) throw failMeetings('invalid', 'actor_invalid', 'The account id is not valid.');
  return actorId;
}

/** What cannot be a code names nothing; clients are told the same as for one that does not exist. */
export function codeFrom(roomCode: string): string {
  if (!looksLikeRoomCode(roomCode)) throw meetingNotFound();
  return roomCode;
}

export function participantFrom(id: string): string {
  const participantId = parseId(id);
  if (!participantId) throw participantUnknown();
  return participantId;
}

export function callFrom(id: string): string {
  if (!isCallId(id)) throw callNotFound();
  return id;
}

/** A tab's name for itself; empty where the caller gave none. */
export function deviceFrom(id: string): string {
  if (id.length > 100) throw callInvalid('The id of the device is not valid.');
  return id;
}
