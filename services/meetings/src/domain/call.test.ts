import type { CallId, ConversationId, UserId } from '@nolo/kit/ids';
import {
  abandonCallState,
  answerCallState,
  beginCallState,
  createCallId,
  declineCallState,
  inviteToCallState,
  leaveCallState,
  findCallPerson,
  computeTalkSeconds,
  stopRingingState,
  updateCallState,
  type StoredCall,
} from './call.ts';
import { createCallFrames, toCallSystemMessage } from './callFrames.ts';

const [alice, bob, carol] = ['alice', 'bob', 'carol'] as [UserId, UserId, UserId];
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds));
const newCall = {
  conversationId: 'conversation' as ConversationId,
  type: 'audio',
  mode: 'direct',
  callerId: alice,
  calleeId: bob,
  deviceId: 'phone-of-alice',
} as const;

const ringing = () => beginCallState('call-bob-1' as CallId, newCall, false, at(0));
const talking = () => answerCallState(ringing(), bob, 'phone-of-bob', at(5));
const states = (call: StoredCall) => Object.fromEntries(call.people.map(({ userId, state }) => [userId, state]));
const frames = (before: StoredCall | undefined, after: StoredCall) =>
  createCallFrames(before, after).map(({ frame, recipients }) => `${frame.type} ${recipients.join(' ')}`);
const code = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'none';
};

test('an id contains the callee and the time', () => {
  expect(createCallId(bob, 17)).toBe('call-bob-17');
});

describe('a ringing call', () => {
  test('rings only for the callee', () => {
    expect(ringing()).toMatchObject({ status: 'ringing', endReason: null, startedAt: null });
    expect(states(ringing())).toEqual({ alice: 'calling', bob: 'ringing' });
    expect(frames(undefined, ringing())).toEqual(['call_initiated bob']);
  });

  test('a busy callee is not rung, and both are notified that the call is over', () => {
    const call = beginCallState('call-bob-1' as CallId, newCall, true, at(0));
    expect(call).toMatchObject({ status: 'ended', endReason: 'busy', endedAt: at(0) });
    expect(states(call)).toEqual({ alice: 'left', bob: 'busy' });
    expect(frames(undefined, call)).toEqual(['call_ended alice bob']);
  });

  test.each([
    ['declined', (call: StoredCall) => declineCallState(call, bob, at(5)), { alice: 'left', bob: 'declined' }],
    ['declined', (call: StoredCall) => leaveCallState(call, bob, at(5)), { alice: 'left', bob: 'declined' }],
    ['cancelled', (call: StoredCall) => leaveCallState(call, alice, at(5)), { alice: 'left', bob: 'missed' }],
    ['missed', (call: StoredCall) => stopRingingState(call, bob, 'missed', at(5)), { alice: 'left', bob: 'missed' }],
    ['busy', (call: StoredCall) => stopRingingState(call, bob, 'busy', at(5)), { alice: 'left', bob: 'busy' }],
  ])('ends as %s', (reason, step, people) => {
    const call = step(ringing());
    expect(call).toMatchObject({ status: 'ended', endReason: reason, startedAt: null, endedAt: at(5) });
    expect(states(call)).toEqual(people);
    expect(frames(ringing(), call)).toEqual(['call_ended alice bob']);
    expect(computeTalkSeconds(call)).toBe(0);
  });

  test('the caller can neither answer nor decline, and neither can a stranger', () => {
    expect(code(() => answerCallState(ringing(), alice, 'x', at(1)))).toBe('call_invalid');
    expect(code(() => declineCallState(ringing(), alice, at(1)))).toBe('call_invalid');
    expect(code(() => answerCallState(ringing(), carol, 'x', at(1)))).toBe('call_over');
  });
});

describe('an answered call', () => {
  test('connects the two devices and notifies everyone', () => {
    expect(talking()).toMatchObject({ status: 'connecting', startedAt: at(5), mode: 'direct' });
    expect(findCallPerson(talking(), bob)).toMatchObject({ state: 'joined', deviceId: 'phone-of-bob' });
    expect(findCallPerson(talking(), alice)).toMatchObject({ state: 'joined', deviceId: 'phone-of-alice' });
    expect(frames(ringing(), talking())).toEqual(['call_changed alice bob']);
  });

  test('accepts a repeated answer of the same device, and none of another', () => {
    const call = talking();
    expect(answerCallState(call, bob, 'phone-of-bob', at(9))).toBe(call);
    expect(code(() => answerCallState(call, bob, 'tablet-of-bob', at(9)))).toBe('call_answered_elsewhere');
    expect(code(() => declineCallState(call, bob, at(9)))).toBe('call_answered_elsewhere');
  });

  test('ends when one of the two leaves', () => {
    const call = leaveCallState(updateCallState(talking(), bob, 'phone-of-bob', { status: 'connected' }), bob, at(65));
    expect(call).toMatchObject({ status: 'ended', endReason: 'completed' });
    expect(toCallSystemMessage(call)).toEqual({
      kind: 'call',
      callId: 'call-bob-1',
      callType: 'audio',
      outcome: 'completed',
      durationSeconds: 60,
      calledAt: at(0).toISOString(),
    });
    expect(leaveCallState(call, alice, at(66))).toBe(call);
    expect(leaveCallState(talking(), bob, at(65), true).endReason).toBe('failed');
  });

  test('becomes a video call and moves to the server, but never back', () => {
    const call = updateCallState(talking(), alice, 'phone-of-alice', {
      type: 'video',
      mode: 'room',
      status: 'connected',
    });
    expect(call).toMatchObject({ type: 'video', mode: 'room', status: 'connected' });
    expect(updateCallState(call, bob, '', { type: 'video', mode: 'room', status: 'connected' })).toBe(call);
    for (const wrong of [{ type: 'audio' }, { mode: 'direct' }, { status: 'ended' }, {}]) {
      expect(code(() => updateCallState(call, alice, '', wrong))).toBe('call_invalid');
    }
    expect(code(() => updateCallState(call, bob, 'tablet-of-bob', { type: 'video' }))).toBe('call_invalid');
    expect(code(() => updateCallState(ringing(), alice, '', { status: 'connected' }))).toBe('call_invalid');
    expect(code(() => updateCallState(ringing(), bob, '', { type: 'video' }))).toBe('call_invalid');
  });

  test('stays over once it is over', () => {
    const call = leaveCallState(talking(), bob, at(9));
    expect(code(() => answerCallState(call, bob, 'phone-of-bob', at(10)))).toBe('call_over');
    expect(code(() => declineCallState(call, bob, at(10)))).toBe('call_over');
    expect(code(() => updateCallState(call, bob, '', { type: 'video' }))).toBe('call_over');
    expect(code(() => inviteToCallState(call, bob, carol, { busy: false, maxPeople: 4, now: at(10) }))).toBe(
      'call_over',
    );
    expect(stopRingingState(call, bob, 'missed', at(10))).toBe(call);
    expect(abandonCallState(call, at(10))).toBe(call);
  });

  test('is completed when everyone has gone, or failed if no media flowed', () => {
    expect(abandonCallState(talking(), at(9))).toMatchObject({ endReason: 'failed', endedAt: at(9) });
    const connected = updateCallState(talking(), bob, '', { status: 'connected' });
    expect(abandonCallState(connected, at(9))).toMatchObject({ endReason: 'completed', endedAt: at(9) });
  });
});

describe('a third participant', () => {
  const three = { busy: false, maxPeople: 4, now: at(10) };

  test('is rung, and the call moves to the server', () => {
    const call = inviteToCallState(talking(), bob, carol, three);
    expect(call.mode).toBe('room');
    expect(frames(talking(), call)).toEqual(['call_initiated carol', 'call_changed alice bob']);
    expect(inviteToCallState(call, alice, carol, three)).toBe(call);
    const joined = answerCallState(call, carol, 'phone-of-carol', at(12));
    expect(joined).toMatchObject({ status: 'connecting', startedAt: at(5) });
    expect(leaveCallState(joined, alice, at(20)).status).toBe('connecting');
    expect(leaveCallState(leaveCallState(joined, alice, at(20)), carol, at(21))).toMatchObject({
      endReason: 'completed',
    });
  });

  test('does not end the call by not joining, and can be invited again', () => {
    const call = stopRingingState(inviteToCallState(talking(), bob, carol, three), carol, 'missed', at(55));
    expect(call.status).toBe('connecting');
    const secondInvite = inviteToCallState(call, alice, carol, { ...three, now: at(60) });
    expect(findCallPerson(secondInvite, carol)).toMatchObject({ state: 'ringing', since: at(60) });
    expect(states(declineCallState(secondInvite, carol, at(61)))).toEqual({
      alice: 'joined',
      bob: 'joined',
      carol: 'declined',
    });
  });

  test('keeps a lone participant waiting while still ringing, and no longer', () => {
    const alone = leaveCallState(inviteToCallState(talking(), bob, carol, three), alice, at(12));
    expect(alone.status).toBe('connecting');
    expect(stopRingingState(alone, carol, 'missed', at(55))).toMatchObject({ status: 'ended', endReason: 'completed' });
  });

  test('is refused if the plan has no room, or if the inviter is not in the call', () => {
    expect(code(() => inviteToCallState(talking(), bob, carol, { ...three, maxPeople: 2 }))).toBe('room_full');
    expect(code(() => inviteToCallState(talking(), carol, 'dave' as UserId, three))).toBe('call_invalid');
    expect(code(() => inviteToCallState(ringing(), alice, carol, three))).toBe('call_invalid');
  });

  test('does not move the call to the server if busy', () => {
    const call = inviteToCallState(talking(), bob, carol, { ...three, busy: true });
    expect(call.mode).toBe('direct');
    expect(states(call)).toEqual({ alice: 'joined', bob: 'joined', carol: 'busy' });
  });
});
