import { randomBytes, randomUUID } from 'node:crypto';
import { createTestDevice, signNextList } from '@nolo/testing/keys';
import { sealAnswer, signTestNack, type TestEpoch } from '@nolo/testing/vaults';
import { startChat, type TestChat } from './startChat.ts';
import {
  addDevice,
  commit,
  createVaultOwner,
  refusalOf,
  signNextEpoch,
  type VaultOwner,
  listEpochs,
  storedNumbers,
  refused,
  answerOf,
} from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

describe('an epoch that this service lost', () => {
  const show = (
    { userId, vaultId }: VaultOwner,
    { message }: Pick<TestEpoch, 'message'>,
    sessionId: string | undefined,
    keys?: ReturnType<TestChat['keys']['stateFor']>,
  ) =>
    chat.epochs.commitEpoch({ actorId: userId, sessionId, conversationId: vaultId, epoch: message, keys, lost: true });
  /** Forgets the epochs of a vault from a number on, as an old backup does. */
  const forget = async ({ vaultId }: VaultOwner, from: number) => {
    for (const table of ['epochs', 'epoch_boxes'])
      await chat.db(table).where({ conversation_id: vaultId }).where('n', '>=', from).delete();
  };

  it('comes back in order from any session, without boxes, though lists and suspensions changed', async () => {
    const owner = await createVaultOwner(chat);
    const first = Buffer.from(owner.newest.checked.hash);
    const { device, sessionId } = await addDevice(chat, owner);
    const added = owner.epoch;
    const second = await signNextEpoch(owner, { leftOut: [device] });
    chat.keys.suspend(owner.userId, device);
    await commit(chat, owner, second);
    owner.epoch = second;
    chat.keys.suspend(owner.userId, device, false);
    const third = await signNextEpoch(owner);
    await commit(chat, owner, third);
    owner.epoch = third;
    await addDevice(chat, owner);
    await forget(owner, 1);
    await chat.db('epoch_lists').where({ user_id: owner.userId }).whereNot({ hash: first }).delete();
    const bare = ({ message }: TestEpoch) => ({ message: { ...message, boxes: [], previousSecret: undefined } });
    // The chain is what it was: nothing stands in for a number, and nothing is left out.
    expect(await refusalOf(show(owner, second, sessionId))).toEqual({
      code: 'epoch_stale',
      details: { n: 0, reason: 'newer' },
    });
    expect(await refusalOf(commit(chat, { ...owner, sessionId }, added))).toMatchObject({ code: 'epoch_refused' });
    for (const epoch of [added, second, third]) await show(owner, bare(epoch), randomUUID());
    await show(owner, owner.epoch, randomUUID());
    expect(await storedNumbers(chat, owner)).toEqual([0, 1, 2, 3, 4]);
    expect(await show(owner, added, sessionId)).toEqual(answerOf(added));
    expect(await refusalOf(show(owner, owner.epoch, undefined))).toMatchObject({ code: 'device_required' });
    // A device that has no box asks, and another one answers.
    const caller = { actorId: owner.userId, conversationId: owner.vaultId };
    await chat.epochs.sendNack({ ...caller, sessionId, nack: await signTestNack(third, device) });
    const box = { deviceId: device.uuid, box: await sealAnswer(third, device.id) };
    await chat.epochs.answerNack({ ...caller, sessionId: owner.sessionId, n: 3, box });
    const { epochs } = await listEpochs(chat, owner, sessionId);
    expect(epochs.map(({ box: sealed, answer }) => [sealed !== undefined, answer !== undefined])).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [false, true],
      [true, false],
    ]);
    await commit(chat, owner, await signNextEpoch(owner));
  });

  it('is refused if it is not signed and in order, and so are boxes for others', async () => {
    const owner = await createVaultOwner(chat);
    const next = await signNextEpoch(owner);
    const [own] = next.message.boxes;
    const cases: [string, TestEpoch['message']][] = [
      ['signature', { ...next.message, header: { ...next.message.header, signature: randomBytes(64) } }],
      ['order', { ...next.message, roster: randomBytes(20) }],
      ['boxes', { ...next.message, boxes: [{ deviceId: randomUUID(), box: own!.box }] }],
      ['boxes', { ...next.message, boxes: [own!, own!] }],
      ['previous_secret', { ...next.message, previousSecret: Buffer.alloc(47) }],
    ];
    for (const [reason, message] of cases)
      expect([reason, await refusalOf(show(owner, { message }, owner.sessionId))]).toEqual([reason, refused(reason)]);
    const other = await createVaultOwner(chat);
    const foreign = { ...owner, userId: other.userId };
    expect(await refusalOf(show(foreign, next, other.sessionId))).toEqual(refused('subject'));
    await commit(chat, owner, next);
    const rival = await signNextEpoch(owner, { reason: 3 });
    expect(await refusalOf(show(owner, rival, owner.sessionId))).toEqual({
      code: 'epoch_stale',
      details: { n: 1, reason: 'newer' },
    });
  });

  it('goes with the list that it names, if that was lost too', async () => {
    const owner = await createVaultOwner(chat);
    const next = await signNextEpoch(owner);
    const list = await signNextList(owner.newest.checked, owner.laptop, {
      add: [await createTestDevice(owner.userId)],
    });
    const keys = chat.keys.stateFor(owner.userId, list, owner.laptop);
    expect(await refusalOf(show(owner, next, undefined, keys))).toEqual(refused('list'));
    await show(owner, list.epoch, undefined, keys);
    expect(await storedNumbers(chat, owner)).toEqual([0, 1]);
  });
});
