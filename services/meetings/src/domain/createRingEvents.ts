import { findCallPerson, type StoredCall, type CallPersonState } from './call.ts';

export const callRangSubject = 'event.meetings.call_rang';
export const callRingEndedSubject = 'event.meetings.call_ring_ended';

const isRinging = (state: CallPersonState | undefined) => state === 'ringing';

/**
 * Builds the events for other services: for whom the call starts ringing, and for whom it stops and why. A call that
 * found nobody free rang for nobody but still counts as missed.
 */
export function createRingEvents(before: StoredCall | undefined, after: StoredCall) {
  const { id: callId, conversationId, callerId, type } = after;
  return after.people.flatMap(({ userId, state, silent }) => {
    const known = before && findCallPerson(before, userId);
    if (silent || known?.silent) return [];
    const was = known?.state;
    const payload = { callId, conversationId, callerId, type, userId };
    if (isRinging(state) && !isRinging(was)) return [{ subject: callRangSubject, key: callId, payload }];
    const ended = isRinging(was) ? !isRinging(state) : state === 'busy' && was !== 'busy';
    return ended ? [{ subject: callRingEndedSubject, key: callId, payload: { ...payload, state } }] : [];
  });
}
