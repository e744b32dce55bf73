import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { answer, beginCall, callId, decline, leave, stopRinging, type NewCall } from './call.ts';
import { callRang, callRings, callStilled } from './callRings.ts';

const [ada, ben] = [newId<UserId>(), newId<UserId>()];
const now = new Date('2026-11-24T08:00:00.000Z');
const asked: NewCall = {
  conversationId: newId<ConversationId>(),
  type: 'audio',
  mode: 'direct',
  callerId: ada,
  calleeId: ben,
  deviceId: 'desk',
};
const begin = (busy = false) => beginCall(callId(ben, now.getTime()), asked, busy, now);
const told = (...calls: Parameters<typeof callRings>) =>
  callRings(...calls).map(({ subject, payload }) => [subject, payload.userId, 'state' in payload && payload.state]);

test('it rings for who is called, and is still once they answer, decline, or time is over', () => {
  const ringing = begin();
  expect(told(undefined, ringing)).toEqual([[callRang, ben, false]]);
  expect(told(ringing, answer(ringing, ben, 'phone', now))).toEqual([[callStilled, ben, 'joined']]);
  expect(told(ringing, decline(ringing, ben, now))).toEqual([[callStilled, ben, 'declined']]);
  expect(told(ringing, stopRinging(ringing, ben, 'missed', now))).toEqual([[callStilled, ben, 'missed']]);
  expect(told(ringing, leave(ringing, ada, now))).toEqual([[callStilled, ben, 'missed']]);
  expect(told(ringing, ringing)).toEqual([]);
});

test('who is in another call has missed it without a ring', () => {
  expect(told(undefined, begin(true))).toEqual([[callStilled, ben, 'busy']]);
});
