import type { CallNote } from '@nolo/rules';
import type { Announcement } from './announce.ts';
import { isTalking, personIn, secondsOf, type Call, type CallPerson } from './call.ts';

/** A call as frames have it (packages/api, call): the same for everyone, so without what one viewer knows of another. */
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

/** Nothing is told to those for whom it did not ring. */
const isTold = (one: CallPerson) => !one.silent;

const takesPart = (one: CallPerson) => isTalking(one) || one.state === 'ringing';

/**
 * Who is to know what of a change. It rings for those who are called now, on all of their devices; everybody else in the
 * call, and whoever has just stopped to be, learns how it is; its end is told to all who ever were.
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

/** What the conversation keeps of a call. */
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
