import { randomUUID } from 'node:crypto';
import { readRoster } from '@nolo/e2ee';
import { eventually } from '@nolo/testing';
import { createTestDevice, signFirstList } from '@nolo/testing/keys';
import { sealAnswer, signTestNack, type TestEpoch } from '@nolo/testing/vaults';
import {
  changeList,
  commitNext,
  commitTo,
  createSealedGroup,
  createSealedPair,
  giveKeys,
  signNext,
  type SealedConversation,
  type SealedPerson,
} from './epochFixtures.ts';
import { chat, framesTo, listEpochs, stateOf, targetFor } from './epochScene.ts';
import { createTestGroup } from './groupFixtures.ts';
import { nextEventId } from './startChat.ts';
import { refusalOf, refused } from './vaultFixtures.ts';

const isPending = async (sealed: SealedConversation) => (await stateOf(sealed)).removal_pending;
const tellDevicesChanged = async ({ userId }: SealedPerson, n: number) =>
  chat.publishEvent('event.identity.devices_changed', { userId, chain: 0, n }, nextEventId(), userId);

describe('device lists and epochs', () => {
  it('name the newest list, or for a minute the one before if nothing was removed', async () => {
    const { owner, admin, sealed } = await createSealedGroup(chat);
    const phone = await createTestDevice(admin.userId);
    const former = { ...admin };
    const people = new Map(sealed.people);
    people.delete(admin);
    people.set(former, 1);
    await changeList(chat, admin, { add: [phone] }, chat.clock.now());
    await commitTo(chat, sealed, owner, await signNext({ ...sealed, people }, owner));
    expect(await stateOf(sealed)).toMatchObject({ epoch: 1 });
  });

  it('do not name one that was followed longer ago, or by one that removes', async () => {
    const { owner, admin, sealed } = await createSealedGroup(chat);
    const former = { ...admin };
    const people = new Map(sealed.people);
    people.delete(admin);
    people.set(former, 1);
    const phone = await createTestDevice(admin.userId);
    await changeList(chat, admin, { add: [phone] }, new Date(chat.clock.now().getTime() - 61_000));
    const late = await signNext({ ...sealed, people }, owner);
    expect(await refusalOf(commitTo(chat, sealed, owner, late))).toEqual(refused('list'));
    const withPhone = { ...admin };
    await commitNext(chat, sealed, owner);
    await changeList(chat, admin, { remove: [phone] }, chat.clock.now());
    people.delete(former);
    people.set(withPhone, 1);
    const removed = await signNext({ ...sealed, people }, owner);
    expect(await refusalOf(commitTo(chat, sealed, owner, removed))).toEqual(refused('list'));
    await commitNext(chat, sealed, owner);
  });

  it('stop the conversation when a device is removed or suspended, until an epoch leaves it out', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const phone = await createTestDevice(admin.userId);
    await changeList(chat, admin, { add: [phone] });
    await tellDevicesChanged(admin, 1);
    await commitNext(chat, sealed, owner);
    expect(await isPending(sealed)).toBe(false);
    await changeList(chat, admin, { remove: [phone] });
    await tellDevicesChanged(admin, 2);
    await eventually(() => isPending(sealed));
    await commitNext(chat, sealed, owner);
    expect(await isPending(sealed)).toBe(false);
    chat.keys.suspend(member.userId, member.device);
    await tellDevicesChanged(member, 0);
    await eventually(() => isPending(sealed));
    expect((await targetFor(sealed, owner)).removalPending).toBe(true);
    const without = await signNext(sealed, owner);
    expect(await refusalOf(commitTo(chat, sealed, owner, without))).toEqual(refused('left_out'));
    const epoch = await commitNext(chat, sealed, owner, { leftOut: [member.device] });
    expect(await isPending(sealed)).toBe(false);
    expect(epoch.message.boxes.map(({ deviceId }) => deviceId)).not.toContain(member.device.uuid);
    chat.keys.suspend(member.userId, member.device, false);
    await commitNext(chat, sealed, owner);
  });

  it('keep the entry of a replaced identity with all its devices left out, until somebody commits the change', async () => {
    const { owner, admin, sealed } = await createSealedGroup(chat);
    const tablet = await createTestDevice(admin.userId);
    const fresh = await signFirstList(tablet);
    chat.keys.accept(admin.userId, fresh, chat.clock.now());
    await tellDevicesChanged(admin, 0);
    await eventually(() => isPending(sealed));
    const kept = await signNext(sealed, owner);
    expect(await refusalOf(commitTo(chat, sealed, owner, kept))).toEqual(refused('left_out'));
    await commitNext(chat, sealed, owner, { leftOut: [admin.device] });
    admin.newest = fresh;
    sealed.people.set(admin, 0);
    await commitNext(chat, sealed, owner);
    // The role became that of a member.
    const { members } = await chat.groups.listMembers({ actorId: owner.userId, conversationId: sealed.id });
    expect(members.find(({ userId }) => userId === admin.userId)?.role).toBe('member');
  });

  it('need no box for a device without box keys, and a member may have no keys', async () => {
    const owner = await giveKeys(chat, await chat.person());
    const nobody = await chat.person();
    const { id } = await createTestGroup(chat, owner.userId, { memberIds: [nobody] });
    const phone = await createTestDevice(owner.userId);
    await changeList(chat, owner, { add: [phone] });
    chat.keys.setKeyless(owner.userId, phone);
    const sealed: SealedConversation = { id, kind: 2, people: new Map([[owner, 2]]), epoch: undefined };
    const members = [
      { userId: owner.userId, role: 2 as const, list: owner.newest.checked },
      { userId: nobody, role: 0 as const, list: undefined },
    ];
    const epoch = await signNext(sealed, owner, { members, withoutBox: [phone] });
    await commitTo(chat, sealed, owner, epoch);
    expect(readRoster(epoch.message.roster!).find(({ devices }) => devices.length === 0)).toMatchObject({ list: null });
  });
});

describe('requests for secrets of a conversation', () => {
  const send = (
    { id }: SealedConversation,
    { userId, sessionId }: SealedPerson,
    nack: { body: Buffer; signature: Buffer },
  ) => chat.epochs.sendNack({ actorId: userId, sessionId, conversationId: id, nack });
  const list = ({ id }: SealedConversation, { userId, sessionId }: SealedPerson) =>
    chat.epochs.listNacks({ actorId: userId, sessionId, conversationId: id });
  const nackOf = (epoch: TestEpoch, person: SealedPerson, device = person.device) =>
    signTestNack(epoch, device, 0, person.userId);

  it('are listed to members, and answered by a device that has the secret', async () => {
    const { alice, bob, sealed } = await createSealedPair(chat);
    const epoch = sealed.epoch!;
    const nack = await nackOf(epoch, bob);
    await send(sealed, bob, nack);
    await eventually(() => framesTo(alice, 'nacks_changed').length === 1);
    expect((await list(sealed, alice)).nacks).toMatchObject([nack]);
    const box = { deviceId: bob.device.uuid, box: await sealAnswer(epoch, bob.device.id) };
    const { userId: actorId, sessionId } = alice;
    await chat.epochs.answerNack({ actorId, sessionId, conversationId: sealed.id, n: 0, box });
    expect((await listEpochs(sealed, bob)).epochs[0]?.answer).toEqual(box.box);
    expect((await list(sealed, alice)).nacks).toEqual([]);
  });

  it('come from a device that was added later unless the epoch has a timer, and from no other account', async () => {
    const { alice, bob, sealed } = await createSealedPair(chat);
    const first = sealed.epoch!;
    const phone = await createTestDevice(bob.userId);
    const atPhone = { ...bob, device: phone, sessionId: randomUUID() };
    await changeList(chat, bob, { add: [phone] });
    chat.keys.signIn(bob.userId, atPhone.sessionId, phone);
    await send(sealed, atPhone, await nackOf(first, bob, phone));
    const timed = await signNext(sealed, alice, { timer: 60 });
    await chat.messageActions.setTimer({
      actorId: alice.userId,
      conversationId: sealed.id,
      seconds: 60,
      epoch: { sessionId: alice.sessionId, epoch: timed.message },
    });
    const tablet = await createTestDevice(bob.userId);
    await changeList(chat, bob, { add: [tablet] });
    const atTablet = { ...bob, device: tablet, sessionId: randomUUID() };
    chat.keys.signIn(bob.userId, atTablet.sessionId, tablet);
    expect(await refusalOf(send(sealed, atTablet, await nackOf(timed, bob, tablet)))).toEqual({
      code: 'nack_refused',
      details: { reason: 'rights' },
    });
    const stranger = await giveKeys(chat, await chat.person());
    expect(await refusalOf(send(sealed, stranger, await nackOf(first, stranger)))).toMatchObject({
      code: 'conversation_not_found',
    });
  });
});

describe('an epoch whose lists were asked for before a removal', () => {
  it('does not clear the removal', async () => {
    const { owner, sealed } = await createSealedGroup(chat);
    const epoch = await signNext(sealed, owner);
    // Identity answers only after the removal was counted.
    chat.keys.beforeNextAnswer(async () => {
      await chat.db('conversations').where({ id: sealed.id }).update({ removal_pending: true, removals: 1 });
    });
    await commitTo(chat, sealed, owner, epoch);
    expect(await stateOf(sealed)).toMatchObject({ epoch: 1, removal_pending: true });
    sealed.epoch = epoch;
    await commitNext(chat, sealed, owner);
    expect(await isPending(sealed)).toBe(false);
  });
});
