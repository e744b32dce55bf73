import { randomUUID } from 'node:crypto';
import { AppError } from '@nolo/kit/errors';
import { enqueue } from '@nolo/kit/outbox';
import type { Call, InitiateCallRequest } from '@nolo/proto/calls';
import { limits, readCallSystemMessage } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { anInitiateCallRequest } from '@nolo/testing/protos';
import { meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
let [alice, bob, carol] = ['', '', ''];

beforeAll(async () => {
  nolo = await startMeetings({ allowance: { participants: 3, minutes: null } });
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [alice, bob, carol] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
  nolo.chat.messages.length = 0;
  nolo.chat.refusal = undefined;
  nolo.clock.advance(1_000);
});

const device = (userId: string, which = 'phone') => `${which}-${userId.slice(0, 8)}`;
const dial = (callerId: string, calleeId: string, more: Partial<InitiateCallRequest> = {}): Promise<Call> =>
  nolo.calls.initiateCall(
    anInitiateCallRequest({ actorId: callerId, calleeId, deviceId: device(callerId), isContact: true, ...more }),
  );
const callRequest = (actorId: string, { id }: { id: string }, reason = '') => ({
  actorId,
  callId: id,
  deviceId: device(actorId),
  reason,
});
const pickUp = (actorId: string, call: Call, which = 'phone') =>
  nolo.calls.answerCall({ ...callRequest(actorId, call), deviceId: device(actorId, which) });
const hangUp = (actorId: string, call: Call, reason = '') => nolo.calls.endCall(callRequest(actorId, call, reason));
const see = (actorId: string, call: Call) => nolo.calls.getCall(callRequest(actorId, call));
const change = (actorId: string, call: Call, what: { type?: string; mode?: string; status?: string }) =>
  nolo.calls.updateCall({
    type: undefined,
    mode: undefined,
    status: undefined,
    ...callRequest(actorId, call),
    ...what,
  });
const invite = (actorId: string, call: Call, userId: string, isBlocked = false, callsFrom = 'everyone') =>
  nolo.calls.inviteToCall({ actorId, callId: call.id, userId, isBlocked, callsFrom });
const states = (call: Call) => Object.fromEntries(call.participants.map(({ userId, state }) => [userId, state]));
const listFrameTypes = (userId: string) => nolo.framesTo(userId).map(({ type }) => type);
const talking = async () => {
  const call = await dial(alice, bob);
  return pickUp(bob, call);
};
/** Returns the call's entry in the conversation. */
const systemMessagesOf = (call: Call) =>
  eventually(() => {
    const found = nolo.chat.messages.filter(({ content }) => readCallSystemMessage(content)?.callId === call.id);
    return found.length > 0 && found.map((one) => ({ ...one, read: readCallSystemMessage(one.content) }));
  });

/** Personal fields that frames omit. */
const unsaid = { name: null, user: null, audioEnabled: null, videoEnabled: null };

describe('a ringing call', () => {
  test('the server creates the id, and the call rings for the callee only', async () => {
    const call = await dial(alice, bob);
    expect(call.id).toBe(`call-${bob}-${nolo.clock.now().getTime()}`);
    expect(call).toMatchObject({
      status: 'ringing',
      mode: 'direct',
      type: 'audio',
      callerId: alice,
      endReason: undefined,
    });
    const [frame] = await eventually(() => nolo.framesTo(bob).length > 0 && nolo.framesTo(bob));
    expect(frame).toEqual({
      type: 'call_initiated',
      scope: undefined,
      data: {
        call: {
          id: call.id,
          callId: call.id,
          conversationId: call.conversationId,
          type: 'audio',
          status: 'ringing',
          mode: 'direct',
          callerId: alice,
          participants: [
            { ...unsaid, userId: alice, deviceId: device(alice), state: 'calling' },
            { ...unsaid, userId: bob, deviceId: null, state: 'ringing' },
          ],
          endReason: null,
          createdAt: nolo.clock.now().toISOString(),
          startedAt: null,
          endedAt: null,
          version: 0,
        },
      },
    });
    expect(listFrameTypes(alice)).toEqual([]);
  });

  test.each([
    ['everyone', false, false, true],
    ['contacts', false, false, false],
    ['contacts', true, false, true],
    ['contacts', false, true, true],
    ['nobody', true, true, false],
  ])('calls from %s: by a contact (%s), accepted (%s)', async (callsFrom, isContact, isAccepted, rings) => {
    const call = await dial(alice, bob, { callsFrom, isContact, isAccepted });
    expect(states(call)).toEqual({ [alice]: 'calling', [bob]: 'ringing' });
    const listed = (await nolo.calls.listCalls({ actorId: bob })).calls.length;
    expect([listed, await meetingsErrorKindAndCode(see(bob, call))]).toEqual(
      rings ? [1, 'none'] : [0, 'not_found call_not_found'],
    );
    // The outcome looks equal in both cases, to the caller and to a person who talks meanwhile.
    expect(await hangUp(alice, call)).toMatchObject({ endReason: 'cancelled' });
    const [written] = await systemMessagesOf(call);
    expect(written?.quiet).toBe(!rings);
    await eventually(() => listFrameTypes(alice).includes('call_ended'));
    expect(listFrameTypes(bob)).toEqual(rings ? ['call_initiated', 'call_ended'] : []);
    const { calls } = await nolo.calls.listCalls({ actorId: bob });
    expect(calls.map(({ id }) => id)).toEqual([call.id]);
  });

  test.each([
    ['contacts', false, false],
    ['contacts', true, true],
    ['nobody', true, false],
  ])('calls from %s: invited by someone whose chat was accepted (%s)', async (callsFrom, isAccepted, rings) => {
    const call = await talking();
    const inviteRequest = { actorId: alice, callId: call.id, userId: carol, isBlocked: false };
    await nolo.calls.inviteToCall({ ...inviteRequest, callsFrom, isAccepted });
    expect(await meetingsErrorKindAndCode(see(carol, call))).toBe(rings ? 'none' : 'not_found call_not_found');
    // A call that did not ring for an invitee appears in none of their lists, even after its end.
    await hangUp(alice, call);
    expect((await nolo.calls.listCalls({ actorId: carol })).calls).toHaveLength(rings ? 1 : 0);
  });

  test.each([
    ['request_limit', 'everyone', 'forbidden request_limit'],
    ['request_limit', 'contacts', 'forbidden request_limit'],
    ['messages_not_allowed', 'everyone', 'none'],
    ['messages_not_allowed', 'contacts', 'forbidden messages_not_allowed'],
  ])('chat accepts no more messages (%s), calls from %s: %s', async (requestRefusal, callsFrom, refused) => {
    expect(await meetingsErrorKindAndCode(dial(alice, bob, { callsFrom, isContact: false, requestRefusal }))).toBe(
      refused,
    );
    const { calls } = await nolo.calls.listCalls({ actorId: bob });
    expect(calls).toHaveLength(refused === 'none' ? 1 : 0);
  });

  test.each([
    ['request_limit', 'everyone', 'forbidden request_limit'],
    ['request_limit', 'contacts', 'forbidden request_limit'],
    ['messages_not_allowed', 'everyone', 'none'],
    ['messages_not_allowed', 'contacts', 'forbidden messages_not_allowed'],
  ])(
    'chat accepts no more messages (%s), invited with calls from %s: %s',
    async (requestRefusal, callsFrom, refused) => {
      const call = await talking();
      const inviteRequest = { actorId: alice, callId: call.id, userId: carol, isBlocked: false };
      expect(
        await meetingsErrorKindAndCode(nolo.calls.inviteToCall({ ...inviteRequest, callsFrom, requestRefusal })),
      ).toBe(refused);
      expect(states(await see(alice, call))[carol]).toBe(refused === 'none' ? 'ringing' : undefined);
    },
  );

  test('each answered call of a stranger is recorded in the chat, which accepts them, and the next one rings', async () => {
    const conversationId = randomUUID();
    const stranger = { conversationId, isContact: false, callsFrom: 'everyone' };
    for (let nth = 0; nth < limits.messagesPerRequest; nth += 1) {
      const call = await pickUp(bob, await dial(alice, bob, stranger));
      nolo.clock.advance(2_000);
      await hangUp(alice, call);
      const [written] = await systemMessagesOf(call);
      expect(written).toMatchObject({ actorId: alice, conversationId, read: { durationSeconds: 2 } });
    }
    const next = await dial(alice, bob, stranger);
    expect(await meetingsErrorKindAndCode(see(bob, next))).toBe('none');
    await hangUp(alice, next);
    const [unanswered] = await systemMessagesOf(next);
    expect(unanswered?.read).toMatchObject({ durationSeconds: 0 });
  });

  test('someone who ignores a call can talk, call back and be rung by others meanwhile', async () => {
    const other = await dial(carol, bob);
    const call = await dial(alice, bob, { callsFrom: 'contacts', isContact: false });
    await pickUp(bob, other);
    expect(states(await see(alice, call))).toMatchObject({ [bob]: 'ringing' });
    await hangUp(bob, other);
    expect((await dial(bob, alice)).id).toBe(call.id);
    await eventually(
      () => listFrameTypes(bob).includes('call_changed') && listFrameTypes(alice).includes('call_changed'),
    );
  });

  test('two calls in the same millisecond get different ids', async () => {
    const calls = await Promise.all([dial(alice, bob), dial(carol, bob)]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    for (const { id } of calls) expect(id).toMatch(new RegExp(`^call-${bob}-[0-9]{13}$`));
  });

  test('one of two devices that answer at once wins', async () => {
    const call = await dial(alice, bob);
    const devices = ['phone', 'tablet', 'laptop', 'watch'];
    const answers = await Promise.all(devices.map((which) => meetingsErrorKindAndCode(pickUp(bob, call, which))));
    expect(answers.sort()).toEqual([...Array(3).fill('conflict call_answered_elsewhere'), 'none']);
    const { participants } = await see(bob, call);
    const winner = participants.find(({ userId }) => userId === bob)?.deviceId;
    // The other devices stop ringing because they learn who answered.
    const frame = await eventually(() => nolo.framesTo(bob, 'call_changed')[0]);
    expect(frame.data).toMatchObject({
      call: { status: 'connecting', participants: [{ state: 'joined' }, { state: 'joined', deviceId: winner }] },
    });
    expect(nolo.framesTo(alice, 'call_changed')).toHaveLength(1);
  });

  test('declining on one device ends it for all, and the conversation records it once', async () => {
    const call = await dial(alice, bob);
    expect(await nolo.calls.declineCall(callRequest(bob, call))).toMatchObject({
      status: 'ended',
      endReason: 'declined',
    });
    expect(await meetingsErrorKindAndCode(nolo.calls.declineCall(callRequest(bob, call)))).toBe('conflict call_over');
    expect(await meetingsErrorKindAndCode(pickUp(bob, call))).toBe('conflict call_over');
    await eventually(() => listFrameTypes(bob).includes('call_ended') && listFrameTypes(alice).includes('call_ended'));
    const [written] = await systemMessagesOf(call);
    expect(written).toMatchObject({ actorId: alice, conversationId: call.conversationId });
    expect(written?.read).toEqual({
      kind: 'call',
      callId: call.id,
      callType: 'audio',
      outcome: 'declined',
      durationSeconds: 0,
      calledAt: call.createdAt?.toISOString(),
    });
  });

  test('the caller can cancel the call', async () => {
    const call = await dial(alice, bob);
    expect(await hangUp(alice, call)).toMatchObject({ endReason: 'cancelled' });
    expect(states(await see(bob, call))).toEqual({ [alice]: 'left', [bob]: 'missed' });
    expect(await hangUp(alice, call)).toMatchObject({ endReason: 'cancelled' });
    expect((await systemMessagesOf(call))[0]?.read?.outcome).toBe('cancelled');
  });

  test('an unanswered call is missed after its time, even on another replica', async () => {
    const call = await dial(alice, bob);
    nolo.clock.advance(limits.callRingMs - 1);
    // A sweep runs in between.
    const other = await dial(carol, alice).catch(() => undefined);
    expect((await see(alice, call)).status).toBe('ringing');
    nolo.clock.advance(1);
    const ended = await eventually(async () => {
      const now = await see(alice, call);
      return now.status === 'ended' && now;
    });
    expect(ended).toMatchObject({ endReason: 'missed' });
    expect(states(ended)).toEqual({ [alice]: 'left', [bob]: 'missed' });
    expect((await systemMessagesOf(call))[0]?.read?.outcome).toBe('missed');
    expect(other?.endReason).toBe('busy');
  });

  test('blocked people are not rung', async () => {
    expect(await meetingsErrorKindAndCode(dial(alice, bob, { isBlocked: true }))).toBe('forbidden user_unavailable');
    const [row] = (await nolo.db('call_people').where({ user_id: bob }).count('* as count')) as { count: number }[];
    expect(row?.count).toBe(0);
  });

  test('an impossible call is rejected', async () => {
    expect(await meetingsErrorKindAndCode(dial(alice, alice))).toBe('invalid call_invalid');
    expect(await meetingsErrorKindAndCode(dial(alice, bob, { type: 'smell' }))).toBe('invalid call_invalid');
    expect(await meetingsErrorKindAndCode(dial(alice, bob, { conversationId: 'x' }))).toBe(
      'not_found conversation_not_found',
    );
    const call = await dial(alice, bob);
    expect(await meetingsErrorKindAndCode(pickUp(alice, call))).toBe('invalid call_invalid');
    expect(await meetingsErrorKindAndCode(nolo.calls.answerCall({ ...callRequest(bob, call), deviceId: '' }))).toBe(
      'invalid call_invalid',
    );
  });

  test('a stranger cannot see the call', async () => {
    const call = await dial(alice, bob);
    const attempts = [
      () => see(carol, call),
      () => pickUp(carol, call),
      () => nolo.calls.declineCall(callRequest(carol, call)),
      () => hangUp(carol, call),
      () => change(carol, call, { type: 'video' }),
      () => invite(carol, call, bob),
      () => see(alice, { ...call, id: 'call-nobody-1' }),
      () => see(alice, { ...call, id: "call-'; drop table calls" }),
    ];
    for (const attempt of attempts) {
      expect(await meetingsErrorKindAndCode(attempt())).toBe('not_found call_not_found');
    }
  });
});

describe('a busy person', () => {
  test('a callee in another call is not rung and gets a missed call; the caller sees the reason', async () => {
    await talking();
    await eventually(() => listFrameTypes(bob).includes('call_changed'));
    nolo.frames.length = 0;
    const call = await dial(carol, bob);
    expect(call).toMatchObject({ status: 'ended', endReason: 'busy' });
    expect(states(call)).toEqual({ [carol]: 'left', [bob]: 'busy' });
    await eventually(() => listFrameTypes(bob).length > 0);
    expect(listFrameTypes(bob)).toEqual(['call_ended']);
    expect((await systemMessagesOf(call))[0]).toMatchObject({ actorId: carol, read: { outcome: 'busy' } });
  });

  test('a caller in another call is refused; repeating the request from the same device returns the call', async () => {
    const call = await dial(alice, bob);
    expect((await dial(alice, bob)).id).toBe(call.id);
    expect(await meetingsErrorKindAndCode(dial(alice, bob, { deviceId: 'tablet' }))).toBe('conflict call_busy');
    expect(await meetingsErrorKindAndCode(dial(alice, carol))).toBe('conflict call_busy');
    await hangUp(alice, call);
    expect((await dial(alice, carol)).status).toBe('ringing');
  });

  test('answering one call makes a person busy for another that rings', async () => {
    const [first, second] = [await dial(alice, bob), await dial(carol, bob)];
    await pickUp(bob, first);
    expect(await see(carol, second)).toMatchObject({ status: 'ended', endReason: 'busy' });
    expect(await meetingsErrorKindAndCode(pickUp(bob, second))).toBe('conflict call_over');
  });

  test('a person in a call cannot answer another', async () => {
    const ringing = await dial(carol, bob);
    const own = await dial(bob, alice);
    expect(await meetingsErrorKindAndCode(pickUp(bob, ringing))).toBe('conflict call_busy');
    await hangUp(bob, own);
    expect((await pickUp(bob, ringing)).status).toBe('connecting');
  });

  test('two people who call each other at once share one call', async () => {
    const [one, other] = await Promise.all([dial(alice, bob), dial(bob, alice)]);
    expect(one.id).toBe(other.id);
    expect([one.status, other.status].sort()).toEqual(['connecting', 'ringing']);
    const call = await see(alice, one);
    expect(
      Object.fromEntries(call.participants.map(({ userId, deviceId, state }) => [userId, { deviceId, state }])),
    ).toEqual({
      [alice]: { deviceId: device(alice), state: 'joined' },
      [bob]: { deviceId: device(bob), state: 'joined' },
    });
    await eventually(
      () => listFrameTypes(alice).includes('call_changed') && listFrameTypes(bob).includes('call_changed'),
    );
  });

  test('concurrent callers of one person each get their own call', async () => {
    const callers = await Promise.all(Array.from({ length: 8 }, () => nolo.person()));
    const calls = await Promise.all(callers.map((caller) => dial(caller, bob)));
    const answers = await Promise.all(
      calls.map((call, index) => meetingsErrorKindAndCode(pickUp(bob, call, `device-${index}`))),
    );
    expect(answers.filter((answer) => answer === 'none')).toHaveLength(1);
    const after = await Promise.all(calls.map((call) => see(bob, call)));
    expect(after.map(({ status }) => status).sort()).toEqual(['connecting', ...Array(7).fill('ended')]);
  });
});

describe('a call in progress', () => {
  test('media flows, becomes video, and hanging up on one side ends it', async () => {
    const call = await talking();
    expect(call.startedAt).toEqual(nolo.clock.now());
    expect((await change(bob, call, { status: 'connected' })).status).toBe('connected');
    expect((await change(alice, call, { type: 'video' })).type).toBe('video');
    nolo.clock.advance(61_700);
    expect(await hangUp(bob, call)).toMatchObject({ status: 'ended', endReason: 'completed' });
    expect((await systemMessagesOf(call))[0]?.read).toMatchObject({
      outcome: 'completed',
      callType: 'video',
      durationSeconds: 61,
    });
    await eventually(() => listFrameTypes(alice).includes('call_ended'));
    expect(listFrameTypes(alice)).toEqual(['call_changed', 'call_changed', 'call_changed', 'call_ended']);
    expect(await meetingsErrorKindAndCode(change(alice, call, { type: 'video' }))).toBe('conflict call_over');
  });

  test('a call without media has failed', async () => {
    const call = await talking();
    expect(await hangUp(alice, call, 'failed')).toMatchObject({ endReason: 'failed' });
  });

  test('a change by a device outside the call is rejected', async () => {
    const call = await talking();
    const elsewhere = {
      ...callRequest(bob, call),
      deviceId: 'tablet',
      type: 'video',
      mode: undefined,
      status: undefined,
    };
    expect(await meetingsErrorKindAndCode(nolo.calls.updateCall(elsewhere))).toBe('invalid call_invalid');
    expect(await meetingsErrorKindAndCode(change(bob, call, {}))).toBe('invalid call_invalid');
  });

  test('people who vanish for longer than a moment end the call', async () => {
    const call = await talking();
    await change(bob, call, { status: 'connected' });
    await nolo.leases.remove(alice);
    await nolo.leases.remove(bob);
    const findAloneCall = () => nolo.db('calls').where({ id: call.id }).whereNotNull('alone_since').first('id');
    await eventually(findAloneCall);
    // Bob returns in time.
    await nolo.leases.add(bob);
    nolo.clock.advance(31_000);
    await eventually(async () => (await findAloneCall()) === undefined);
    expect((await see(alice, call)).status).toBe('connected');
    await nolo.leases.remove(bob);
    await eventually(findAloneCall);
    const goneAt = nolo.clock.now();
    nolo.clock.advance(31_000);
    const ended = await eventually(async () => {
      const now = await see(alice, call);
      return now.status === 'ended' && now;
    });
    expect(ended).toMatchObject({ endReason: 'completed', endedAt: goneAt });
  });
});

describe('signals of a call', () => {
  const send = (from: string, to: string, call: Call, more: object = {}) =>
    nolo.calls.signal({
      actorId: from,
      callId: call.id,
      targetUserId: to,
      deviceId: device(from),
      signalJson: '{"type":"offer","sdp":"v=0"}',
      ...more,
    });

  test('reach the device that answered and are stored nowhere', async () => {
    const call = await talking();
    await send(alice, bob, call);
    const frame = await eventually(() => nolo.framesTo(bob, 'webrtc_signal')[0]);
    expect(frame.data).toEqual({
      callId: call.id,
      senderUserId: alice,
      deviceId: device(alice),
      targetDeviceId: device(bob),
      signalData: { type: 'offer', sdp: 'v=0' },
    });
    expect(nolo.framesTo(alice, 'webrtc_signal')).toEqual([]);
    expect(await nolo.db('outbox').whereRaw("payload::text like '%v=0%'")).toEqual([]);
  });

  test('reveal no address before the call is answered or after it ends', async () => {
    const call = await dial(alice, bob);
    const candidates = ['{"candidate":{"candidate":""}}', '{"sdp":"v=0\\r\\na=candidate:1"}'];
    for (const signalJson of candidates) {
      expect(await meetingsErrorKindAndCode(send(alice, bob, call, { signalJson }))).toBe('invalid call_invalid');
      expect(await meetingsErrorKindAndCode(send(bob, alice, call, { signalJson }))).toBe('invalid call_invalid');
    }
    await pickUp(bob, call);
    expect(await meetingsErrorKindAndCode(send(carol, bob, call))).toBe('not_found call_not_found');
    expect(await meetingsErrorKindAndCode(send(alice, carol, call))).toBe('not_found call_not_found');
    expect(await meetingsErrorKindAndCode(send(alice, bob, call, { deviceId: 'tablet' }))).toBe('invalid call_invalid');
    expect(await meetingsErrorKindAndCode(send(alice, bob, call, { signalJson: '{' }))).toBe('invalid call_invalid');
    const large = JSON.stringify({ sdp: 'x'.repeat(limits.callSignalBytes) });
    expect(await meetingsErrorKindAndCode(send(alice, bob, call, { signalJson: large }))).toBe(
      'too_large signal_too_large',
    );
    await hangUp(bob, call);
    expect(await meetingsErrorKindAndCode(send(alice, bob, call))).toBe('conflict call_over');
    expect(nolo.framesTo(bob, 'webrtc_signal')).toEqual([]);
  });

  test('can be exchanged while ringing, between the caller and every ringing device', async () => {
    const call = await dial(alice, bob);
    await send(alice, bob, call);
    const [offer] = await eventually(
      () => nolo.framesTo(bob, 'webrtc_signal').length > 0 && nolo.framesTo(bob, 'webrtc_signal'),
    );
    expect(offer?.data).toMatchObject({ deviceId: device(alice), targetDeviceId: null });
    await send(bob, alice, call, { signalJson: '{"hello":true}' });
    const hello = await eventually(() => nolo.framesTo(alice, 'webrtc_signal')[0]);
    expect(hello.data).toMatchObject({ deviceId: device(bob), targetDeviceId: device(alice) });
    expect(await meetingsErrorKindAndCode(send(alice, bob, call, { deviceId: 'tablet' }))).toBe('invalid call_invalid');

    const large = JSON.stringify({ sdp: 'x'.repeat(limits.callSignalBytes) });
    const answer = (signalJson: string) =>
      nolo.calls.answerCall({ actorId: bob, callId: call.id, deviceId: device(bob), signalJson });
    expect(await meetingsErrorKindAndCode(answer(large))).toBe('too_large signal_too_large');
    expect(await meetingsErrorKindAndCode(answer('{'))).toBe('invalid call_invalid');
    expect((await see(alice, call)).status).toBe('ringing');
    expect(await answer('{"type":"answer","sdp":"a=candidate:1"}')).toMatchObject({ status: 'connecting' });
    const answered = await eventually(() => nolo.framesTo(alice, 'webrtc_signal')[1]);
    expect(answered.data).toMatchObject({ senderUserId: bob, deviceId: device(bob), signalData: { type: 'answer' } });
  });

  test('belong to the one open call of the two without a call id, and answer it while it rings', async () => {
    const nameless = { callId: '' };
    const none = { id: '' } as Call;
    expect(await meetingsErrorKindAndCode(send(alice, bob, none))).toBe('not_found call_not_found');
    const call = await dial(alice, bob, { deviceId: '' });
    // The caller's signals reach nobody who has not answered.
    expect(await meetingsErrorKindAndCode(send(alice, bob, none))).toBe('invalid call_invalid');
    expect(await meetingsErrorKindAndCode(send(carol, bob, none))).toBe('not_found call_not_found');
    await send(bob, alice, call, nameless);
    expect(states(await see(alice, call))).toEqual({ [alice]: 'joined', [bob]: 'joined' });
    await send(alice, bob, call, nameless);
    const [first] = await eventually(
      () => nolo.framesTo(bob, 'webrtc_signal').length > 0 && nolo.framesTo(bob, 'webrtc_signal'),
    );
    expect(first?.data).toMatchObject({ callId: call.id, senderUserId: alice, targetDeviceId: device(bob) });
    expect(await meetingsErrorKindAndCode(send(bob, alice, call, { callId: '', deviceId: 'tablet' }))).toBe(
      'invalid call_invalid',
    );
    // A signal does not move a person who is talking into another call.
    const other = await dial(carol, bob);
    expect(await meetingsErrorKindAndCode(send(bob, carol, none))).toBe('not_found call_not_found');
    expect((await see(carol, other)).endReason).toBe('busy');
    expect(await nolo.calls.endCall({ ...callRequest(alice, none) })).toMatchObject({ id: call.id, status: 'ended' });
    expect(await meetingsErrorKindAndCode(nolo.calls.endCall({ ...callRequest(alice, none) }))).toBe(
      'not_found call_not_found',
    );
    expect(await meetingsErrorKindAndCode(send(alice, bob, none))).toBe('not_found call_not_found');
    // Ending a ringing call declines it.
    const retry = await dial(alice, bob);
    expect(await nolo.calls.endCall({ ...callRequest(bob, none) })).toMatchObject({
      id: retry.id,
      endReason: 'declined',
    });
    await dial(alice, bob, { isContact: false });
    expect(await meetingsErrorKindAndCode(send(bob, alice, none))).toBe('invalid call_invalid');
  });

  test('are dropped once the call has moved to the server', async () => {
    const call = await talking();
    await change(alice, call, { mode: 'room' });
    expect(await meetingsErrorKindAndCode(send(alice, bob, call))).toBe('none');
    await change(bob, call, { status: 'connected' });
    await eventually(() => nolo.framesTo(bob, 'call_changed').length === 3);
    expect(nolo.framesTo(bob, 'webrtc_signal')).toEqual([]);
  });
});

test('reports whose microphone and camera are on', async () => {
  const media = async (call: Call) =>
    Object.fromEntries(
      (await see(alice, call)).participants.map((one) => [one.userId, [one.audioEnabled, one.videoEnabled]]),
    );
  const call = await dial(alice, bob, { type: 'video' });
  expect(await media(call)).toEqual({ [alice]: [true, true], [bob]: [false, false] });
  await pickUp(bob, call);
  expect(await media(call)).toEqual({ [alice]: [true, true], [bob]: [true, true] });
  await change(alice, call, { mode: 'room' });
  await nolo.enter(alice, call.id, { muted: true, video: true });
  await nolo.enter(bob, call.id);
  expect(await media(call)).toEqual({ [alice]: [false, true], [bob]: [true, false] });
  await hangUp(alice, call);
  expect(await media(call)).toEqual({ [alice]: [false, false], [bob]: [false, false] });
});

describe('a call in a room', () => {
  test('strangers, and people who prefer it, are relayed', async () => {
    const stranger = await dial(alice, bob, { isContact: false });
    expect(stranger.mode).toBe('room');
    await hangUp(alice, stranger);
    for (const who of [alice, bob]) {
      expect(await nolo.calls.getCallPreferences({ actorId: who })).toEqual({ relayCalls: false });
      expect(await nolo.calls.updateCallPreferences({ actorId: who, relayCalls: true })).toEqual({ relayCalls: true });
      expect(await nolo.calls.updateCallPreferences({ actorId: who, relayCalls: undefined })).toEqual({
        relayCalls: true,
      });
      const call = await dial(alice, bob);
      expect(call.mode).toBe('room');
      await hangUp(alice, call);
      await nolo.calls.updateCallPreferences({ actorId: who, relayCalls: false });
    }
    expect((await dial(alice, bob)).mode).toBe('direct');
  });

  test('the room admits only those in the call, while it is active', async () => {
    const call = await talking();
    expect(await meetingsErrorKindAndCode(nolo.enter(alice, call.id))).toBe('not_found call_not_found');
    await change(alice, call, { mode: 'room' });
    expect(await meetingsErrorKindAndCode(nolo.enter(carol, call.id))).toBe('not_found call_not_found');
    expect(await nolo.enter(alice, call.id)).toMatchObject({ state: 'joined', roomId: call.id, meeting: undefined });
    expect((await nolo.enter(bob, call.id)).participants).toHaveLength(1);
    await hangUp(alice, call);
    expect(await meetingsErrorKindAndCode(nolo.enter(bob, call.id))).toBe('not_found call_not_found');
    // People inside are removed.
    const frame = await eventually(() => nolo.framesTo(bob, 'meeting_ended')[0]);
    expect(frame).toMatchObject({ scope: `meeting:${call.id}`, data: { roomCode: call.id, reason: 'ended' } });
    await eventually(async () => (await nolo.redis.hlen(`room:${call.id}:inside`)) === 0);
  });

  test('leaving the room with the last device leaves the call', async () => {
    const call = await dial(alice, bob, { isContact: false });
    await pickUp(bob, call);
    await nolo.enter(alice, call.id);
    const tabs = [await nolo.enter(bob, call.id), await nolo.enter(bob, call.id)];
    const ids = tabs.map(({ participant }) => participant?.id ?? '');
    await nolo.rooms.leave({ actorId: bob, participantId: ids[0] ?? '' });
    expect((await see(bob, call)).status).toBe('connecting');
    await nolo.rooms.leave({ actorId: bob, participantId: ids[1] ?? '' });
    expect(await see(bob, call)).toMatchObject({ status: 'ended', endReason: 'completed' });
  });

  test('a third person who accepts no calls from the inviter is not notified', async () => {
    const call = await talking();
    expect(states(await invite(alice, call, carol, false, 'contacts'))).toMatchObject({ [carol]: 'ringing' });
    await hangUp(bob, call);
    await eventually(() => listFrameTypes(alice).includes('call_changed'));
    expect(listFrameTypes(carol)).toEqual([]);
  });

  test('a third person is rung, joins and stays with one of the two', async () => {
    const call = await talking();
    const asked3 = await invite(alice, call, carol);
    expect(asked3.mode).toBe('room');
    expect(states(asked3)).toEqual({ [alice]: 'joined', [bob]: 'joined', [carol]: 'ringing' });
    await eventually(() => listFrameTypes(carol).length > 0);
    expect(listFrameTypes(carol)).toEqual(['call_initiated']);
    expect((await invite(bob, call, carol)).participants).toHaveLength(3);
    expect(await meetingsErrorKindAndCode(invite(alice, call, await nolo.person()))).toBe('plan_limited plan_limit');
    await pickUp(carol, call);
    for (const who of [alice, bob, carol]) await nolo.enter(who, call.id);
    await hangUp(alice, call);
    expect(await see(carol, call)).toMatchObject({ status: 'connecting' });
    expect(await hangUp(carol, call)).toMatchObject({ status: 'ended', endReason: 'completed' });
    expect((await systemMessagesOf(call)).length).toBe(1);
  });

  test('an unanswered invitation is missed, and the others continue', async () => {
    const call = await talking();
    nolo.clock.advance(60_000);
    await invite(alice, call, carol);
    nolo.clock.advance(limits.callRingMs);
    await eventually(async () => states(await see(alice, call))[carol] === 'missed');
    expect((await see(alice, call)).status).toBe('connecting');
    await eventually(() => listFrameTypes(carol).includes('call_changed'));
  });

  test('a blocked or busy third person is not rung', async () => {
    const call = await talking();
    expect(await meetingsErrorKindAndCode(invite(alice, call, carol, true))).toBe('forbidden user_unavailable');
    await dial(carol, await nolo.person());
    const after = await invite(alice, call, carol);
    expect(states(after)[carol]).toBe('busy');
    expect(after.mode).toBe('direct');
    expect(nolo.framesTo(carol, 'call_initiated')).toEqual([]);
  });
});

describe('a finished call', () => {
  test('is listed for each person, latest first, page by page', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const call = index % 2 === 0 ? await dial(alice, bob) : await dial(carol, alice);
      await hangUp(call.callerId, call);
      ids.unshift(call.id);
      // Two calls start in the same millisecond.
      if (index !== 3) nolo.clock.advance(1_000);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await nolo.calls.listCalls({ actorId: alice, cursor, limit: 2 });
      expect(page.calls.length).toBeLessThanOrEqual(2);
      seen.push(...page.calls.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(7);
    expect([...seen].sort()).toEqual([...ids].sort());
    const { calls } = await nolo.calls.listCalls({ actorId: alice, limit: 100 });
    expect(calls.map(({ id }) => id)).toEqual(seen);
    const times = calls.map(({ createdAt }) => createdAt?.getTime() ?? 0);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect((await nolo.calls.listCalls({ actorId: bob, limit: 100 })).calls).toHaveLength(4);
    expect(await meetingsErrorKindAndCode(nolo.calls.listCalls({ actorId: alice, cursor: 'x', limit: 2 }))).toBe(
      'invalid cursor_invalid',
    );
  });

  test('an unavailable conversation records the call later, and a refusing one is left alone', async () => {
    nolo.chat.refusal = new AppError('unavailable', 'storage_unavailable', 'Away.');
    const call = await dial(alice, bob);
    await hangUp(alice, call);
    const due = () => nolo.db('calls').where({ id: call.id }).whereNotNull('note_at').first('id');
    expect(await due()).toBeDefined();
    nolo.chat.refusal = undefined;
    nolo.clock.advance(11_000);
    const systemMessages = await systemMessagesOf(call);
    const retry = await dial(alice, bob);
    await hangUp(alice, retry);
    expect((await systemMessagesOf(retry))[0]?.clientMessageId).not.toBe(systemMessages[0]?.clientMessageId);

    nolo.chat.refusal = new AppError('forbidden', 'blocked', 'No.');
    const blocked = await dial(alice, bob);
    await hangUp(alice, blocked);
    await eventually(async () => (await nolo.db('calls').where({ id: blocked.id }).first('note_at'))?.note_at === null);
    expect(nolo.chat.messages.some(({ content }) => content.includes(blocked.id))).toBe(false);
  });

  test('a deleted account is removed from its calls and from the lists', async () => {
    const call = await talking();
    await nolo.calls.updateCallPreferences({ actorId: bob, relayCalls: true });
    await nolo.deleteUser(bob);
    await eventually(async () => (await see(alice, call)).participants.length === 1);
    expect(await see(alice, call)).toMatchObject({ status: 'ended', endReason: 'completed' });
    expect(await meetingsErrorKindAndCode(see(bob, call))).toBe('not_found call_not_found');
    expect(await nolo.calls.getCallPreferences({ actorId: bob })).toEqual({ relayCalls: false });
    await nolo.deleteUser(alice);
    await eventually(async () => (await nolo.db('calls').where({ id: call.id }).first('id')) === undefined);
  });

  test('a second replica knows the call, and sends what a dead one left in the outbox', async () => {
    const call = await dial(alice, bob);
    const second = await nolo.startReplica();
    expect((await second.calls.answerCall(callRequest(bob, call))).status).toBe('connecting');
    await second.app.stop();
    const payload = { recipients: [alice], frame: { type: 'call_changed', data: { left: 'behind' } } };
    await enqueue(nolo.db, { subject: 'deliver', payload });
    await eventually(() => nolo.framesTo(alice).some(({ data }) => data['left'] === 'behind'));
    expect(await hangUp(alice, call)).toMatchObject({ endReason: 'completed' });
  });

  test('outcomes are counted, and the service reports that it is ready', async () => {
    const metrics = await (await fetch(`${nolo.metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/nolo_calls_total\{outcome="declined",service="meetings"\} [1-9]/);
    expect(metrics).toMatch(/nolo_calls_open\{service="meetings"\} \d+/);
    expect(metrics).toMatch(/nolo_meetings_live\{service="meetings"\} 0/);
    const ready = await fetch(`${nolo.metricsUrl}/readyz`);
    expect(await ready.json()).toMatchObject({ ready: true });
  });

  test('ICE servers are empty if not configured', async () => {
    expect(await nolo.calls.getIceServers({ actorId: alice })).toEqual({ iceServersJson: '[]' });
  });
});
