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
  nolo,
  pickUp,
  see,
  states,
  talking,
} from './callScene.ts';
import { meetingsErrorKindAndCode } from './startMeetings.ts';

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
