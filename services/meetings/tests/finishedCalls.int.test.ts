import { AppError } from '@nolo/kit/errors';
import { enqueue } from '@nolo/kit/outbox';
import { eventually } from '@nolo/testing';
import { alice, bob, callRequest, carol, dial, hangUp, nolo, see, systemMessagesOf, talking } from './callScene.ts';
import { meetingsErrorKindAndCode } from './startMeetings.ts';

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

  test('ICE servers are empty if not configured', async () => {
    expect(await nolo.calls.getIceServers({ actorId: alice })).toEqual({ iceServersJson: '[]' });
  });
});
