import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import {
  answerCallState,
  beginCallState,
  createCallId,
  declineCallState,
  leaveCallState,
  stopRingingState,
  type NewCall,
} from './call.ts';
import { callRangSubject, createRingEvents, callRingEndedSubject } from './createRingEvents.ts';

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
const begin = (busy = false) => beginCallState(createCallId(ben, now.getTime()), newCall, busy, now);
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
    [callRingEndedSubject, ben, 'joined'],
  ]);
  expect(summarizeEvents(ringing, declineCallState(ringing, ben, now))).toEqual([
    [callRingEndedSubject, ben, 'declined'],
  ]);
  expect(summarizeEvents(ringing, stopRingingState(ringing, ben, 'missed', now))).toEqual([
    [callRingEndedSubject, ben, 'missed'],
  ]);
  expect(summarizeEvents(ringing, leaveCallState(ringing, ada, now))).toEqual([[callRingEndedSubject, ben, 'missed']]);
  expect(summarizeEvents(ringing, ringing)).toEqual([]);
});

test('a callee in another call misses it without a ring', () => {
  expect(summarizeEvents(undefined, begin(true))).toEqual([[callRingEndedSubject, ben, 'busy']]);
});
