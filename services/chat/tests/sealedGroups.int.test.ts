import { randomBytes, randomUUID } from 'node:crypto';
import { encodeChange, fromUuid, signChange, type Bytes, type Change } from '@nolo/e2ee';
import { eventually } from '@nolo/testing';
import type { TestEpoch } from '@nolo/testing/vaults';
import {
  commitNext,
  createSealedGroup,
  giveKeys,
  signNext,
  withChange,
  type SealedConversation,
  type SealedPerson,
} from './epochFixtures.ts';
import { joinByRoomCode, listMemberRoles } from './groupFixtures.ts';
import { nextEventId, startChat, type TestChat } from './startChat.ts';
import { refusalOf } from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

const stateOf = ({ id }: SealedConversation) =>
  chat.db('conversations').where({ id }).first('epoch', 'removal_pending', 'is_public');
const rolesIn = ({ id }: SealedConversation, { userId }: SealedPerson) => listMemberRoles(chat, userId, id);
const leavesOf = async ({ id }: SealedConversation, { userId }: SealedPerson) =>
  (await chat.epochs.getEpochTarget({ actorId: userId, conversationId: id })).leaves;
const required = { code: 'encryption_required' };

describe('a sealed group', () => {
  it('is changed together with the epoch that contains the change', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const inGroup = { actorId: owner.userId, conversationId: sealed.id };
    const begin = async (change: (epoch: TestEpoch) => Promise<unknown>, plan = {}) => {
      const epoch = await signNext(sealed, owner, plan);
      await change(epoch);
      sealed.epoch = epoch;
    };
    const newcomer = await giveKeys(chat, await chat.person());
    const add = (epoch?: TestEpoch) =>
      chat.groups.addMembers({
        ...inGroup,
        userIds: [newcomer.userId],
        epoch: epoch && withChange(owner, epoch),
      });
    expect(await refusalOf(add())).toEqual({ ...required, details: { userIds: [newcomer.userId] } });
    sealed.people.set(newcomer, 0);
    await begin(add);
    sealed.people.set(newcomer, 1);
    const promote = (epoch?: TestEpoch) =>
      chat.groups.setRole({
        ...inGroup,
        userId: newcomer.userId,
        role: 'admin',
        epoch: epoch && withChange(owner, epoch),
      });
    expect(await refusalOf(promote())).toEqual({ ...required, details: undefined });
    await begin(promote);
    sealed.people.delete(newcomer);
    await begin((epoch) =>
      chat.groups.removeMember({ ...inGroup, userId: newcomer.userId, epoch: withChange(owner, epoch) }),
    );
    const open = (epoch?: TestEpoch) =>
      chat.groups.updateGroup({ ...inGroup, isPublic: true, epoch: epoch && withChange(owner, epoch) });
    expect(await refusalOf(open())).toMatchObject(required);
    await begin(open, { admission: 1 });
    sealed.people.set(owner, 1);
    sealed.people.set(admin, 2);
    const handOver = (epoch?: TestEpoch) =>
      chat.groups.handOverGroup({ ...inGroup, userId: admin.userId, epoch: epoch && withChange(owner, epoch) });
    expect(await refusalOf(handOver())).toMatchObject(required);
    await begin(handOver, { admission: 1 });
    expect(await stateOf(sealed)).toEqual({ epoch: 5, removal_pending: false, is_public: true });
    expect(await rolesIn(sealed, owner)).toEqual({
      [owner.userId]: 'admin',
      [admin.userId]: 'owner',
      [member.userId]: 'member',
    });
    // A name needs no epoch, because no header contains it.
    await chat.groups.updateGroup({ ...inGroup, name: 'Renamed' });
  });

  it('is not changed if the epoch is refused', async () => {
    const { owner, member, sealed } = await createSealedGroup(chat);
    const newcomer = await giveKeys(chat, await chat.person());
    const inGroup = { actorId: owner.userId, conversationId: sealed.id };
    const stale = await signNext(sealed, owner);
    await commitNext(chat, sealed, member);
    const add = (epoch: TestEpoch) =>
      chat.groups.addMembers({ ...inGroup, userIds: [newcomer.userId], epoch: withChange(owner, epoch) });
    expect(await refusalOf(add(stale))).toEqual({ code: 'epoch_stale', details: { n: 1, reason: 'newer' } });
    const without = await signNext(sealed, owner);
    expect(await refusalOf(add(without))).toEqual({ code: 'epoch_refused', details: { reason: 'members' } });
    expect(Object.keys(await rolesIn(sealed, owner))).toHaveLength(3);
  });

  it('is entered by its open code, and otherwise with an epoch only', async () => {
    const { owner, sealed } = await createSealedGroup(chat, { isPublic: true });
    const { meta } = await chat.client.getConversation({ actorId: owner.userId, conversationId: sealed.id });
    const code = meta?.group?.roomCode ?? '';
    const newcomer = await giveKeys(chat, await chat.person());
    const joiner = await giveKeys(chat, await chat.person());
    expect(await joinByRoomCode(chat, joiner.userId, code)).toMatchObject({ state: 'joined' });
    sealed.people.set(joiner, 0);
    await commitNext(chat, sealed, owner, { admission: 1 });
    const closed = await signNext(sealed, owner);
    await chat.groups.updateGroup({
      actorId: owner.userId,
      conversationId: sealed.id,
      isPublic: false,
      epoch: withChange(owner, closed),
    });
    sealed.epoch = closed;
    expect(await joinByRoomCode(chat, newcomer.userId, code)).toMatchObject({ state: 'waiting' });
    const decide = (epoch?: TestEpoch) =>
      chat.groups.decideJoinRequest({
        actorId: owner.userId,
        conversationId: sealed.id,
        userId: newcomer.userId,
        approve: true,
        epoch: epoch && withChange(owner, epoch),
      });
    expect(await refusalOf(decide())).toMatchObject(required);
    sealed.people.set(newcomer, 0);
    await decide(await signNext(sealed, owner));
    expect(await rolesIn(sealed, owner)).toMatchObject({ [newcomer.userId]: 'member' });
  });

  it('takes no messages after a removal until an epoch says so', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const inGroup = { actorId: owner.userId, conversationId: sealed.id };
    await chat.groups.removeMember({ ...inGroup, userId: member.userId });
    expect(await stateOf(sealed)).toMatchObject({ removal_pending: true });
    sealed.people.delete(member);
    await commitNext(chat, sealed, admin);
    expect(await stateOf(sealed)).toMatchObject({ removal_pending: false });
    await chat.groups.banMember({ ...inGroup, userId: admin.userId });
    expect(await stateOf(sealed)).toMatchObject({ removal_pending: true });
    sealed.people.delete(admin);
    await commitNext(chat, sealed, owner);
    expect(await stateOf(sealed)).toMatchObject({ removal_pending: false });
  });

  it('keeps a signed leave until an epoch contains it', async () => {
    const { owner, member, sealed } = await createSealedGroup(chat);
    const account = fromUuid(member.userId);
    const bare: Change = { type: 2, account, lastRows: [{ device: member.device.id, row: null }], evidence: null };
    const signer = { account, device: member.device.id, ancestor: sealed.epoch!.checked.hash, at: Date.now() };
    const evidence = await signChange(member.device.key, fromUuid(sealed.id), signer, bare);
    const leave = Buffer.from(encodeChange({ ...bare, evidence }));
    const inGroup = { actorId: member.userId, conversationId: sealed.id };
    const bad = [
      Buffer.from('leave'),
      Buffer.from(encodeChange(bare)),
      Buffer.from(encodeChange({ ...bare, type: 1 })),
    ];
    for (const one of bad)
      expect(await refusalOf(chat.groups.leaveGroup({ ...inGroup, leave: one }))).toMatchObject({
        code: 'leave_refused',
      });
    await chat.groups.leaveGroup({ ...inGroup, leave });
    expect(await leavesOf(sealed, owner)).toEqual([leave]);
    expect(await stateOf(sealed)).toMatchObject({ removal_pending: true });
    sealed.people.delete(member);
    const isLeave = (change: Change) => change.type === 1;
    await commitNext(chat, sealed, owner, {
      change: (header) => ({
        ...header,
        changes: header.changes.map((one) => (isLeave(one) ? { ...bare, evidence } : one)),
      }),
    });
    expect(await leavesOf(sealed, owner)).toEqual([]);
    expect(await stateOf(sealed)).toMatchObject({ removal_pending: false });
  });

  it.each<[string, { isForged?: boolean; age?: number; row?: Bytes }]>([
    ['with a bad signature', { isForged: true }],
    ['that was signed too long ago', { age: 31 * 86_400_000 }],
    ['whose last row is not there', { row: Uint8Array.from(randomBytes(32)) }],
  ])('removes a member whose leave %s cannot count', async (_, { isForged = false, age = 0, row = null }) => {
    const { owner, member, sealed } = await createSealedGroup(chat);
    const account = fromUuid(member.userId);
    const bare: Change = { type: 2, account, lastRows: [{ device: member.device.id, row }], evidence: null };
    const signer = { account, device: member.device.id, ancestor: sealed.epoch!.checked.hash, at: Date.now() - age };
    const { key } = isForged ? owner.device : member.device;
    const evidence = await signChange(key, fromUuid(sealed.id), signer, bare);
    const leave = Buffer.from(encodeChange({ ...bare, evidence }));
    await chat.groups.leaveGroup({ actorId: member.userId, conversationId: sealed.id, leave });
    expect(await stateOf(sealed)).toMatchObject({ removal_pending: true });
    expect(await leavesOf(sealed, owner)).toEqual([]);
    sealed.people.delete(member);
    await commitNext(chat, sealed, owner);
    expect(await stateOf(sealed)).toMatchObject({ removal_pending: false });
  });

  it('has the owner whom the header appoints after the last one left', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    await chat.groups.leaveGroup({ actorId: owner.userId, conversationId: sealed.id });
    expect(await rolesIn(sealed, admin)).toEqual({ [admin.userId]: 'owner', [member.userId]: 'member' });
    sealed.people.delete(owner);
    await commitNext(chat, sealed, admin);
    expect(await rolesIn(sealed, admin)).toEqual({ [admin.userId]: 'owner', [member.userId]: 'member' });
  });

  it('goes on after an account was deleted, whose boxes and requests are gone', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    await chat.publishEvent('event.identity.user_deleted', { userId: member.userId }, nextEventId(), member.userId);
    await eventually(async () => (await stateOf(sealed)).removal_pending);
    const boxes = async (): Promise<string[]> =>
      chat.db('epoch_boxes').where({ conversation_id: sealed.id }).pluck('device_id');
    await eventually(async () => (await boxes()).length === 2);
    sealed.people.delete(member);
    await commitNext(chat, sealed, admin);
    expect(await stateOf(sealed)).toEqual({ epoch: 1, removal_pending: false, is_public: false });
    expect((await boxes()).toSorted()).toEqual(
      [owner, admin, owner, admin].map(({ device }) => device.uuid).toSorted(),
    );
  });
});

describe('the export of an account', () => {
  it('has the headers of its conversations, and the boxes of its own devices', async () => {
    const { member, sealed } = await createSealedGroup(chat);
    const items = [];
    for await (const item of chat.epochs.exportVaults({ actorId: member.userId })) items.push(item);
    expect(items).toMatchObject([
      {
        vaultId: sealed.id,
        item: {
          value: { header: sealed.epoch!.message.header, roster: undefined, boxes: [{ deviceId: member.device.uuid }] },
        },
      },
    ]);
    const stranger = [];
    for await (const item of chat.epochs.exportVaults({ actorId: randomUUID() })) stranger.push(item);
    expect(stranger).toEqual([]);
  });
});
