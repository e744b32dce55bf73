import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import {
  alice,
  bob,
  callRequest,
  carol,
  change,
  device,
  dial,
  hangUp,
  invite,
  listFrameTypes,
  nolo,
  pickUp,
  see,
  states,
  systemMessagesOf,
  talking,
} from './callScene.ts';
import { meetingsErrorKindAndCode } from './startMeetings.ts';

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

describe('a finished call', () => {
  test('outcomes are counted, and the service reports that it is ready', async () => {
    const metrics = await (await fetch(`${nolo.metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/nolo_calls_total\{outcome="declined",service="meetings"\} [1-9]/);
    expect(metrics).toMatch(/nolo_calls_open\{service="meetings"\} \d+/);
    expect(metrics).toMatch(/nolo_meetings_live\{service="meetings"\} 0/);
    const ready = await fetch(`${nolo.metricsUrl}/readyz`);
    expect(await ready.json()).toMatchObject({ ready: true });
  });
});
