import { personIn, type Call, type PersonState } from './call.ts';

export const callRang = 'event.meetings.call_rang';
export const callStilled = 'event.meetings.call_stilled';

const isRinging = (state: PersonState | undefined) => state === 'ringing';

/**
 * Builds the events for other services: for whom the call starts ringing, and for whom it stops and why. A call that
 * found nobody free rang for nobody but still counts as missed.
 */
export function callRings(before: Call | undefined, after: Call) {
  const { id: callId, conversationId, callerId, type } = after;
  return after.people.flatMap(({ userId, state, silent }) => {
    const known = before && personIn(before, userId);
    if (silent || known?.silent) return [];
    const was = known?.state;
    const payload = { callId, conversationId, callerId, type, userId };
    if (isRinging(state) && !isRinging(was)) return [{ subject: callRang, key: callId, payload }];
    const stilled = isRinging(was) ? !isRinging(state) : state === 'busy' && was !== 'busy';
    return stilled ? [{ subject: callStilled, key: callId, payload: { ...payload, state } }] : [];
  });
}
