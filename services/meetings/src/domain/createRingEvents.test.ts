import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import {
  answerCallState,
  beginCall,
  callId,
  declineCallState,
  leaveCallState,
  stopRinging,
  type NewCall,
} from './call.ts';
import { callRangSubject, createRingEvents, callStilledSubject } from './createRingEvents.ts';

const [ada, ben] = [newId<UserId>(), newId<UserId>()];
const now = new Date('2026-11-24T08:00:00.000Z');
const newCall: NewCall = {
  conversationId: newId<ConversationId>(),
  type: 'audio',
  mode: 'direct',
  callerId: ada,
  calleeId: ben,
  deviceId: 'desk',
};
const begin = (busy = false) => beginCall(callId(ben, now.getTime()), newCall, busy, now);
const summarizeEvents = (...calls: Parameters<typeof createRingEvents>) =>
  createRingEvents(...calls).map(({ subject, payload }) => [
    subject,
    payload.userId,
    'state' in payload && payload.state,
  ]);

test('a call rings for the callee until they answer or decline, or it times out', () => {
  const ringing = begin();
  expect(summarizeEvents(undefined, ringing)).toEqual([[callRangSubject, ben, false]]);
  expect(summarizeEvents(ringing, answerCallState(ringing, ben, 'phone', now))).toEqual([
    [callStilledSubject, ben, 'joined'],
  ]);
  expect(summarizeEvents(ringing, declineCallState(ringing, ben, now))).toEqual([
    [callStilledSubject, ben, 'declined'],
  ]);
  expect(summarizeEvents(ringing, stopRinging(ringing, ben, 'missed', now))).toEqual([
    [callStilledSubject, ben, 'missed'],
  ]);
  expect(summarizeEvents(ringing, leaveCallState(ringing, ada, now))).toEqual([[callStilledSubject, ben, 'missed']]);
  expect(summarizeEvents(ringing, ringing)).toEqual([]);
});

test('a callee in another call misses it without a ring', () => {
  expect(summarizeEvents(undefined, begin(true))).toEqual([[callStilledSubject, ben, 'busy']]);
});
