import { randomBytes, randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { createTestRecovery } from '@nolo/testing/keys';
import { sealAnswer, signTestNack } from '@nolo/testing/vaults';
import { startChat, type TestChat } from './startChat.ts';
import {
  addDevice,
  addList,
  commit,
  createVaultOwner,
  refusalOf,
  signNextEpoch,
  type VaultOwner,
  listEpochs,
  framesTo,
  refused,
  recoveryKeyId,
} from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

describe('a device without box keys', () => {
  it('needs no box until it has some, and then asks for the secret', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    const next = await signNextEpoch(owner);
    const boxes = next.message.boxes.filter(({ deviceId }) => deviceId !== device.uuid);
    const without = { message: { ...next.message, boxes } };
    expect(await refusalOf(commit(chat, owner, without))).toEqual(refused('boxes'));
    chat.keys.setKeyless(owner.userId, device);
    const others = { message: { ...next.message, boxes: [] } };
    expect(await refusalOf(commit(chat, owner, others))).toEqual(refused('boxes'));
    await commit(chat, owner, without);
    owner.epoch = next;
    chat.keys.setKeyless(owner.userId, device, false);
    const { epochs } = await listEpochs(chat, owner, sessionId, 2);
    expect(epochs).toMatchObject([{ n: 2, box: undefined }]);
    const caller = { actorId: owner.userId, sessionId, conversationId: owner.vaultId };
    await chat.epochs.sendNack({ ...caller, nack: await signTestNack(next, device) });
    const box = { deviceId: device.uuid, box: await sealAnswer(next, device.id) };
    await chat.epochs.answerNack({ ...caller, sessionId: owner.sessionId, n: 2, box });
    expect((await listEpochs(chat, owner, sessionId, 2)).epochs).toMatchObject([{ n: 2, answer: expect.anything() }]);
  });
});

describe('the recovery key', () => {
  it('has a box in each epoch once it is set, which every session of the account gets', async () => {
    const owner = await createVaultOwner(chat);
    const { listed } = await createTestRecovery(owner.newest.checked);
    await addList(chat, owner, { recovery: listed });
    const next = await signNextEpoch(owner);
    const without = { ...next.message, boxes: next.message.boxes.filter(({ deviceId }) => deviceId !== recoveryKeyId) };
    expect(await refusalOf(commit(chat, owner, { message: without }))).toEqual(refused('boxes'));
    await commit(chat, owner, next);
    const { epochs } = await listEpochs(chat, owner, randomUUID());
    expect(epochs.map(({ recoveryBox }) => recoveryBox !== undefined)).toEqual([false, true, true]);
  });

  it('restarts the vault without the secret of the epoch before', async () => {
    const owner = await createVaultOwner(chat);
    const restart = await signNextEpoch(owner, { reason: 3 });
    const withSecret = { ...restart.message, previousSecret: randomBytes(48) };
    expect(await refusalOf(commit(chat, owner, { message: withSecret }))).toEqual(refused('previous_secret'));
    await commit(chat, owner, restart);
  });
});

describe('a request for a secret', () => {
  const send = ({ userId, vaultId }: VaultOwner, sessionId: string, nack: { body: Buffer; signature: Buffer }) =>
    chat.epochs.sendNack({ actorId: userId, sessionId, conversationId: vaultId, nack });
  const list = async ({ userId, vaultId, sessionId }: VaultOwner) =>
    (await chat.epochs.listNacks({ actorId: userId, sessionId, conversationId: vaultId })).nacks;
  const answer = (owner: VaultOwner, sessionId: string, n: number, deviceId: string, box: Buffer) =>
    chat.epochs.answerNack({
      actorId: owner.userId,
      sessionId,
      conversationId: owner.vaultId,
      n,
      box: { deviceId, box },
    });

  it('is kept once for each device and epoch until another device answers', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    const nack = await signTestNack(owner.epoch, device);
    await send(owner, sessionId, nack);
    await send(owner, sessionId, nack);
    expect(await list(owner)).toEqual([nack]);
    const renewed = await signTestNack(owner.epoch, device, 1);
    await send(owner, sessionId, renewed);
    expect(await list(owner)).toEqual([renewed]);
    await eventually(() => framesTo(chat, owner, 'nacks_changed').length === 2);
    const late = await sealAnswer(owner.epoch, device.id, 0);
    expect(await refusalOf(answer(owner, owner.sessionId, 1, device.uuid, late))).toEqual({
      code: 'nack_refused',
      details: { reason: 'subject' },
    });
    const box = await sealAnswer(owner.epoch, device.id, 1);
    await answer(owner, owner.sessionId, 1, device.uuid, box);
    expect(await list(owner)).toEqual([]);
    expect((await listEpochs(chat, owner, sessionId, 1)).epochs).toMatchObject([{ answer: box }]);
    expect((await listEpochs(chat, owner, owner.sessionId, 1)).epochs).toMatchObject([{ answer: undefined }]);
    expect(await refusalOf(answer(owner, owner.sessionId, 1, device.uuid, box))).toMatchObject({
      code: 'nack_not_found',
    });
    await eventually(() => framesTo(chat, owner, 'epochs_changed').length === 3);
    expect(framesTo(chat, owner, 'epochs_changed').at(-1)).toEqual({ conversationId: owner.vaultId, n: 1 });
  });

  it('is refused if another device signed it, or if it names another epoch', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    const nackRefused = (reason: string) => ({ code: 'nack_refused', details: { reason } });
    const nack = await signTestNack(owner.epoch, device);
    expect(await refusalOf(send(owner, owner.sessionId, nack))).toEqual(nackRefused('subject'));
    const forged = await signTestNack(owner.epoch, { ...device, key: owner.laptop.key });
    expect(await refusalOf(send(owner, sessionId, forged))).toEqual(nackRefused('signature'));
    const elsewhere = await signTestNack((await createVaultOwner(chat)).epoch, device);
    expect(await refusalOf(send(owner, sessionId, elsewhere))).toEqual(nackRefused('subject'));
    const unknown = await signTestNack(await signNextEpoch(owner), device);
    expect(await refusalOf(send(owner, sessionId, unknown))).toEqual(nackRefused('subject'));
    const long = { body: Buffer.alloc(limits.nackBytes + 1), signature: nack.signature };
    expect(await refusalOf(send(owner, sessionId, long))).toEqual(nackRefused('malformed'));
    expect(await list(owner)).toEqual([]);
  });

  it('is answered only by a device that has the secret, and goes with a device that is removed', async () => {
    const owner = await createVaultOwner(chat);
    const first = owner.epoch;
    const { device, sessionId } = await addDevice(chat, owner);
    await send(owner, sessionId, await signTestNack(first, device));
    const box = await sealAnswer(first, device.id);
    expect(await refusalOf(answer(owner, sessionId, 0, device.uuid, box))).toEqual({
      code: 'nack_refused',
      details: { reason: 'rights' },
    });
    await answer(owner, owner.sessionId, 0, device.uuid, box);
    await send(owner, sessionId, await signTestNack(owner.epoch, device));
    await addList(chat, owner, { remove: [device] });
    await commit(chat, owner, await signNextEpoch(owner));
    expect(await list(owner)).toEqual([]);
    const boxes = await chat.db('epoch_boxes').where({ conversation_id: owner.vaultId }).pluck('device_id');
    expect(new Set(boxes)).toEqual(new Set([owner.laptop.uuid]));
  });
});
