import type { CallSystemMessage } from '@nolo/rules';
import type { OutboundFrame } from './outboundFrames.ts';
import { isTalkingInCall, findCallPerson, computeTalkSeconds, type StoredCall, type CallPerson } from './call.ts';

/**
 * Builds the call for frames (packages/api, call). It is equal for everyone, so it contains nothing specific to one
 * viewer.
 */
function toCallData(call: StoredCall) {
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
const isNotified = (one: CallPerson) => !one.silent;

const isTalkingOrRinging = (one: CallPerson) => isTalkingInCall(one) || one.state === 'ringing';

/**
 * Returns the frames for a change. Newly called people get a ring on all their devices. Everyone in the call, and
 * anyone who just left, gets the new state. Its end is sent to everyone who was ever in it.
 */
export function createCallFrames(before: StoredCall | undefined, after: StoredCall): OutboundFrame[] {
  const frame = (type: string, people: readonly CallPerson[]): OutboundFrame[] => {
    const recipients = people.filter(isNotified);
    return recipients.length === 0
      ? []
      : [{ recipients: recipients.map(({ userId }) => userId), frame: { type, data: { call: toCallData(after) } } }];
  };
  if (after.status === 'ended') return before?.status === 'ended' ? [] : frame('call_ended', after.people);
  const was = (one: CallPerson) => before && findCallPerson(before, one.userId);
  const rings = after.people.filter((one) => one.state === 'ringing' && was(one)?.state !== 'ringing');
  const changedPeople = after.people.filter(
    (one) => before && !rings.includes(one) && (isTalkingOrRinging(one) || was(one)?.state !== one.state),
  );
  return [...frame('call_initiated', rings), ...frame('call_changed', changedPeople)];
}

/** Builds the system message about a call for its conversation. */
export function toCallSystemMessage(call: StoredCall): CallSystemMessage | undefined {
  if (!call.endReason) return undefined;
  return {
    kind: 'call',
    callId: call.id,
    callType: call.type,
    outcome: call.endReason,
    durationSeconds: computeTalkSeconds(call),
    calledAt: call.createdAt.toISOString(),
  };
}
