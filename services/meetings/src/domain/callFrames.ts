import type { CallNote } from '@nolo/rules';
import type { Announcement } from './announce.ts';
import { isTalking, personIn, secondsOf, type Call, type CallPerson } from './call.ts';

/**
 * Builds the call for frames (packages/api, call). It is equal for everyone, so it contains nothing specific to one
 * viewer.
 */
export function callData(call: Call) {
  return {
    id: call.id,
    callId: call.id,
    conversationId: call.conversationId,
    type: call.type,
    status: call.status,
    mode: call.mode,
    callerId: call.callerId,
    participants: call.people.map(({ userId, deviceId, state }) => ({
      userId,
      name: null,
      user: null,
      deviceId: deviceId === '' ? null : deviceId,
      state,
      audioEnabled: null,
      videoEnabled: null,
    })),
    endReason: call.endReason,
    createdAt: call.createdAt.toISOString(),
    startedAt: call.startedAt?.toISOString() ?? null,
    endedAt: call.endedAt?.toISOString() ?? null,
    version: call.version,
  };
}

/** Notifies only people for whom it rang. */
const isTold = (one: CallPerson) => !one.silent;

const takesPart = (one: CallPerson) => isTalking(one) || one.state === 'ringing';

/**
 * Returns the frames for a change. Newly called people get a ring on all their devices. Everyone in the call, and
 * anyone who just left, gets the new state. Its end is sent to everyone who was ever in it.
 */
export function callFrames(before: Call | undefined, after: Call): Announcement[] {
  const frame = (type: string, people: readonly CallPerson[]): Announcement[] => {
    const recipients = people.filter(isTold);
    return recipients.length === 0
      ? []
      : [{ recipients: recipients.map(({ userId }) => userId), frame: { type, data: { call: callData(after) } } }];
  };
  if (after.status === 'ended') return before?.status === 'ended' ? [] : frame('call_ended', after.people);
  const was = (one: CallPerson) => before && personIn(before, one.userId);
  const rings = after.people.filter((one) => one.state === 'ringing' && was(one)?.state !== 'ringing');
  const told = after.people.filter(
    (one) => before && !rings.includes(one) && (takesPart(one) || was(one)?.state !== one.state),
  );
  return [...frame('call_initiated', rings), ...frame('call_changed', told)];
}

/** Builds the system message about a call for its conversation. */
export function callNote(call: Call): CallNote | undefined {
  if (!call.endReason) return undefined;
  return {
    kind: 'call',
    callId: call.id,
    callType: call.type,
    outcome: call.endReason,
    durationSeconds: secondsOf(call),
    calledAt: call.createdAt.toISOString(),
  };
}
