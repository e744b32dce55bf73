import type { Call } from '@nolo/proto/calls';
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
