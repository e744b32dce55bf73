import { fromUuid, signChange, type Change } from '@nolo/e2ee';
import type { TestEpoch } from '@nolo/testing/vaults';
import {
  commitNext,
  commitTo,
  createSealedGroup,
  giveKeys,
  signNext,
  withChange,
  type SealedConversation,
  type SealedPerson,
} from './epochFixtures.ts';
import { createTestGroup, listMemberRoles } from './groupFixtures.ts';
import { startChat, type TestChat } from './startChat.ts';
import { answerOf, refusalOf, refused } from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

const stateOf = ({ id }: SealedConversation) =>
  chat.db('conversations').where({ id }).first('epoch', 'removal_pending');
const isPending = async (sealed: SealedConversation) => (await stateOf(sealed)).removal_pending;

describe('an epoch of a conversation that this service lost', () => {
  it('comes back in order from any member, and the next one brings it up to date', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const second = await commitNext(chat, sealed, owner);
    await chat.groups.removeMember({ actorId: owner.userId, conversationId: sealed.id, userId: member.userId });
    sealed.people.delete(member);
    const third = await commitNext(chat, sealed, owner);
    await chat.db('epochs').where({ conversation_id: sealed.id }).where('n', '>', 0).delete();
    await chat.db('conversations').where({ id: sealed.id }).update({ epoch: 0 });
    const show = (epoch: TestEpoch, person: SealedPerson) =>
      commitTo(chat, sealed, person, { message: { ...epoch.message, boxes: [] } }, { lost: true });
    expect(await refusalOf(show(third, admin))).toEqual({
      code: 'epoch_stale',
      details: { n: 0, reason: 'newer' },
    });
    expect(await refusalOf(commitTo(chat, sealed, owner, second))).toMatchObject({ code: 'epoch_refused' });
    for (const epoch of [second, third]) expect(await show(epoch, admin)).toEqual(answerOf(epoch));
    expect(await stateOf(sealed)).toMatchObject({ epoch: 2, removal_pending: true });
    await commitNext(chat, sealed, admin);
    expect(await isPending(sealed)).toBe(false);
  });
});

describe('what members signed in epochs that this service lost', () => {
  /** Puts a group back to its first epoch, with the members, roles, and settings of then. */
  async function restore({ id }: SealedConversation, members: Record<string, 'owner' | 'admin' | 'member'>) {
    for (const [userId, role] of Object.entries(members))
      await chat.db('members').where({ conversation_id: id, user_id: userId }).update({ role, left_at: null });
    await chat.db('epochs').where({ conversation_id: id }).where('n', '>', 0).delete();
    await chat
      .db('conversations')
      .where({ id })
      .update({ epoch: 0, is_public: false, disappearing_seconds: null, member_count: 3, removal_pending: false });
  }
  const show = (sealed: SealedConversation, by: SealedPerson, epoch: TestEpoch) =>
    commitTo(chat, sealed, by, epoch, { lost: true });
  const rolesIn = ({ id }: SealedConversation, { userId }: SealedPerson) => listMemberRoles(chat, userId, id);

  it('holds again: roles, a handover, settings, and removals', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const inGroup = { actorId: owner.userId, conversationId: sealed.id };
    const change = async (plan: Parameters<typeof signNext>[2], run: (epoch: TestEpoch) => Promise<unknown>) => {
      const epoch = await signNext(sealed, owner, plan);
      await run(epoch);
      sealed.epoch = epoch;
      return epoch;
    };
    sealed.people.set(member, 1);
    const promoted = await change({}, (epoch) =>
      chat.groups.setRole({ ...inGroup, userId: member.userId, role: 'admin', epoch: withChange(owner, epoch) }),
    );
    const opened = await change({ admission: 1 }, (epoch) =>
      chat.groups.updateGroup({ ...inGroup, isPublic: true, epoch: withChange(owner, epoch) }),
    );
    const timed = await change({ admission: 1, timer: 3600 }, (epoch) =>
      chat.messageActions.setTimer({ ...inGroup, seconds: 3600, epoch: withChange(owner, epoch) }),
    );
    const settings = { admission: 1, timer: 3600 } as const;
    sealed.people.set(owner, 1);
    sealed.people.set(admin, 2);
    const handedOver = await change(settings, (epoch) =>
      chat.groups.handOverGroup({ ...inGroup, userId: admin.userId, epoch: withChange(owner, epoch) }),
    );
    await restore(sealed, { [owner.userId]: 'owner', [admin.userId]: 'admin', [member.userId]: 'member' });
    for (const epoch of [promoted, opened, timed, handedOver]) await show(sealed, member, epoch);
    expect(await rolesIn(sealed, owner)).toEqual({
      [owner.userId]: 'admin',
      [admin.userId]: 'owner',
      [member.userId]: 'admin',
    });
    expect(await chat.db('conversations').where({ id: sealed.id }).first('is_public', 'disappearing_seconds')).toEqual({
      is_public: true,
      disappearing_seconds: 3600,
    });
    // The next epoch is in order, without any further change.
    await commitNext(chat, sealed, member, settings);
    expect(await isPending(sealed)).toBe(false);
  });

  it('holds again for people who left with a signature, and for those whom a member removed', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const { id } = sealed;
    const ancestor = sealed.epoch!.checked.hash;
    const removal: Change = {
      type: 1,
      account: fromUuid(member.userId),
      lastRows: [{ device: member.device.id, row: null }],
      evidence: null,
    };
    const signer = { account: fromUuid(owner.userId), device: owner.device.id, ancestor, at: Date.now() };
    const evidence = await signChange(owner.device.key, fromUuid(id), signer, removal);
    sealed.people.delete(member);
    const removed = await signNext(sealed, owner, {
      change: (header) => ({ ...header, changes: header.changes.map((one) => ({ ...one, evidence })) }),
    });
    await chat.groups.removeMember({
      actorId: owner.userId,
      conversationId: id,
      userId: member.userId,
      epoch: withChange(owner, removed),
    });
    sealed.epoch = removed;
    await restore(sealed, { [owner.userId]: 'owner', [admin.userId]: 'admin', [member.userId]: 'member' });
    await show(sealed, admin, removed);
    expect(await rolesIn(sealed, owner)).toEqual({ [owner.userId]: 'owner', [admin.userId]: 'admin' });
    await commitNext(chat, sealed, admin);
    expect(await isPending(sealed)).toBe(false);
  });

  it('gives nobody a role that no owner signed', async () => {
    const { admin, member, sealed } = await createSealedGroup(chat);
    sealed.people.set(member, 1);
    const epoch = await signNext(sealed, admin);
    expect(await refusalOf(show(sealed, member, epoch))).toEqual(refused('members'));
    expect(await stateOf(sealed)).toMatchObject({ epoch: 0, removal_pending: false });
  });
});

describe('an epoch that a member only calls lost', () => {
  it('makes nobody the owner of a group', async () => {
    const [owner, member] = [await giveKeys(chat, await chat.person()), await giveKeys(chat, await chat.person())];
    const { id } = await createTestGroup(chat, owner.userId, { memberIds: [member.userId] });
    const people = new Map([
      [owner, 0],
      [member, 2],
    ] as const);
    const sealed: SealedConversation = { id, kind: 2, people, epoch: undefined };
    const epoch = await signNext(sealed, member);
    expect(await refusalOf(commitTo(chat, sealed, member, epoch, { lost: true }))).toEqual(refused('members'));
    expect(await stateOf(sealed)).toMatchObject({ epoch: null, removal_pending: false });
  });

  it('removes nobody in the name of the server', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    for (const one of [owner, admin]) sealed.people.delete(one);
    const epoch = await signNext(sealed, member);
    expect(await refusalOf(commitTo(chat, sealed, member, epoch, { lost: true }))).toEqual(refused('members'));
    expect(await stateOf(sealed)).toMatchObject({ epoch: 0, removal_pending: false });
  });
});
