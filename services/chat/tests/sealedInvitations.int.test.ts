import {
  createSigningKey,
  encodeChange,
  equalBytes,
  fromUuid,
  noAccount,
  readChange,
  signChange,
  signInvited,
  type Change,
  type Header,
  type SigningKey,
} from '@nolo/e2ee';
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
import { listMemberRoles } from './groupFixtures.ts';
import { startChat, type TestChat } from './startChat.ts';
import { refusalOf, refused } from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

const stateOf = ({ id }: SealedConversation) =>
  chat.db('conversations').where({ id }).first('epoch', 'removal_pending');
const targetFor = ({ id }: SealedConversation, { userId }: SealedPerson) =>
  chat.epochs.getEpochTarget({ actorId: userId, conversationId: id });

const additionOf = ({ userId, newest: { checked } }: SealedPerson, role: 0 | 1 = 0): Change => ({
  type: 0,
  account: fromUuid(userId),
  role,
  list: { n: checked.list.n, hash: checked.hash },
  evidence: null,
});

/** Signs the addition of a newcomer as a member, with the newest header as ancestor. */
async function signAddition(sealed: SealedConversation, by: SealedPerson, newcomer: SealedPerson, role: 0 | 1 = 0) {
  const change = additionOf(newcomer, role);
  const signer = {
    account: fromUuid(by.userId),
    device: by.device.id,
    ancestor: sealed.epoch!.checked.hash,
    at: Date.now(),
  };
  const evidence = await signChange(by.device.key, fromUuid(sealed.id), signer, change);
  return Buffer.from(encodeChange({ ...change, evidence }));
}

/** Puts signed additions in the place of those that the committer would sign. */
const withSigned =
  (...signed: readonly Buffer[]) =>
  (header: Header): Header => {
    const changes = signed.map((one) => readChange(one));
    const found = (one: Change) =>
      changes.find(({ type, account }) => type === one.type && equalBytes(account, one.account));
    return { ...header, changes: header.changes.map((one) => found(one) ?? one) };
  };

const invite = (
  { id }: SealedConversation,
  by: SealedPerson,
  people: readonly SealedPerson[],
  additions: readonly Buffer[],
) =>
  chat.groups.addMembers({
    actorId: by.userId,
    conversationId: id,
    userIds: people.map(({ userId }) => userId),
    choices: { people: people.map(({ userId }) => ({ userId, groupsFrom: 'nobody', isContact: false })) },
    additions: { changes: [...additions] },
  });

const accept = ({ id }: SealedConversation, { userId }: SealedPerson) =>
  chat.groups.answerInvitation({ actorId: userId, conversationId: id, accept: true });

const createNewcomer = async () => giveKeys(chat, await chat.person());

describe('an invitation to a sealed private group', () => {
  it('keeps what the inviter signed, with which the newcomer adds themselves', async () => {
    const { owner, sealed } = await createSealedGroup(chat);
    const newcomer = await createNewcomer();
    const signed = await signAddition(sealed, owner, newcomer);
    expect(await invite(sealed, owner, [newcomer], [signed])).toMatchObject({ invitedIds: [newcomer.userId] });
    expect((await targetFor(sealed, owner)).additions).toEqual([]);
    await accept(sealed, newcomer);
    expect((await targetFor(sealed, newcomer)).additions).toEqual([signed]);
    sealed.people.set(newcomer, 0);
    await commitNext(chat, sealed, newcomer, { change: withSigned(signed) });
    expect((await targetFor(sealed, owner)).additions).toEqual([]);
    expect(await stateOf(sealed)).toEqual({ epoch: 1, removal_pending: false });
  });

  it('takes a newer signature, and keeps the one it has without', async () => {
    const { owner, sealed } = await createSealedGroup(chat);
    const newcomer = await createNewcomer();
    await invite(sealed, owner, [newcomer], [await signAddition(sealed, owner, newcomer)]);
    await commitNext(chat, sealed, owner);
    const newer = await signAddition(sealed, owner, newcomer);
    await invite(sealed, owner, [newcomer], [newer]);
    await invite(sealed, owner, [newcomer], []);
    await accept(sealed, newcomer);
    expect((await targetFor(sealed, owner)).additions).toEqual([newer]);
  });

  it('is accepted without a signature too, and nothing waits for one', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const newcomer = await createNewcomer();
    await invite(sealed, owner, [newcomer], []);
    await accept(sealed, newcomer);
    expect(await stateOf(sealed)).toEqual({ epoch: 0, removal_pending: false });
    // The others go on without the newcomer, who can add nobody without a signature.
    await commitNext(chat, sealed, admin);
    await chat.groups.removeMember({ actorId: owner.userId, conversationId: sealed.id, userId: member.userId });
    sealed.people.delete(member);
    await commitNext(chat, sealed, admin);
    expect(await stateOf(sealed)).toEqual({ epoch: 2, removal_pending: false });
    const { members } = await targetFor(sealed, owner);
    expect(members.map(({ userId }) => userId)).toContain(newcomer.userId);
    // A member signs the addition after asking the user.
    sealed.people.set(newcomer, 0);
    await commitNext(chat, sealed, admin);
    expect(await stateOf(sealed)).toEqual({ epoch: 3, removal_pending: false });
  });

  it('leaves no trace when its person leaves before an epoch has them', async () => {
    const { owner, sealed } = await createSealedGroup(chat);
    const newcomer = await createNewcomer();
    await invite(sealed, owner, [newcomer], [await signAddition(sealed, owner, newcomer)]);
    await accept(sealed, newcomer);
    await chat.groups.leaveGroup({ actorId: newcomer.userId, conversationId: sealed.id });
    expect((await targetFor(sealed, owner)).additions).toEqual([]);
    // Messages go on, because no epoch gives the newcomer a secret.
    expect(await stateOf(sealed)).toEqual({ epoch: 0, removal_pending: false });
  });

  it('refuses additions that are malformed, of others, for other roles, or not signed', async () => {
    const { owner, sealed } = await createSealedGroup(chat);
    const [newcomer, other] = [await createNewcomer(), await createNewcomer()];
    const signed = await signAddition(sealed, owner, newcomer);
    const cases: [string, Buffer[]][] = [
      ['malformed', [Buffer.from('addition')]],
      ['subject', [await signAddition(sealed, owner, other)]],
      ['subject', [await signAddition(sealed, owner, newcomer, 1)]],
      ['subject', [signed, signed]],
      ['rights', [Buffer.from(encodeChange(additionOf(newcomer)))]],
    ];
    for (const [reason, additions] of cases)
      expect(await refusalOf(invite(sealed, owner, [newcomer], additions))).toEqual({
        code: 'addition_refused',
        details: { reason },
      });
  });
});

describe('an invite link of a sealed private group', () => {
  /** Creates a link whose invite key goes into the header with it. */
  async function createLink(sealed: SealedConversation, by: SealedPerson): Promise<{ token: string; key: SigningKey }> {
    const key = await createSigningKey();
    const setting = { field: 3, value: [key.publicKey] } as const;
    const bare: Change = { type: 5, account: noAccount, setting, evidence: null };
    const signer = {
      account: fromUuid(by.userId),
      device: by.device.id,
      ancestor: sealed.epoch!.checked.hash,
      at: Date.now(),
    };
    const evidence = await signChange(by.device.key, fromUuid(sealed.id), signer, bare);
    const epoch = await signNext(sealed, by, {
      change: (header) => ({ ...header, reason: 1, inviteKeys: [key.publicKey], changes: [{ ...bare, evidence }] }),
    });
    const { token } = await chat.groups.createGroupInvite({
      actorId: by.userId,
      conversationId: sealed.id,
      expiresAt: undefined,
      epoch: withChange(by, epoch),
    });
    sealed.epoch = epoch;
    return { token, key };
  }

  const signWith = async (key: SigningKey, sealed: SealedConversation, newcomer: SealedPerson) => {
    const change = additionOf(newcomer);
    const at = { ancestor: sealed.epoch!.checked.hash, at: Date.now() };
    const evidence = await signInvited(key, fromUuid(sealed.id), at, change);
    return Buffer.from(encodeChange({ ...change, evidence }));
  };

  const join = async (sealed: SealedConversation, by: SealedPerson, inviteToken: string, addition?: Buffer) => {
    const { room_code: roomCode } = await chat.db('conversations').where({ id: sealed.id }).first('room_code');
    return chat.groups.joinGroup({ actorId: by.userId, roomCode, inviteToken, address: '', addition });
  };

  it('lets newcomers sign their own addition with its key', async () => {
    const { owner, sealed } = await createSealedGroup(chat);
    const { token, key } = await createLink(sealed, owner);
    const newcomer = await createNewcomer();
    const signed = await signWith(key, sealed, newcomer);
    expect(await join(sealed, newcomer, token, signed)).toMatchObject({ state: 'joined', entered: true });
    expect((await targetFor(sealed, newcomer)).additions).toEqual([signed]);
    sealed.people.set(newcomer, 0);
    const keep = (header: Header): Header => ({ ...withSigned(signed)(header), inviteKeys: [key.publicKey] });
    await commitNext(chat, sealed, newcomer, { change: keep });
    expect(await stateOf(sealed)).toEqual({ epoch: 2, removal_pending: false });
  });

  it('admits without a signature too, and a member adds the newcomer', async () => {
    const { owner, member, sealed } = await createSealedGroup(chat);
    const inGroup = { actorId: owner.userId, conversationId: sealed.id };
    const { token } = await chat.groups.createGroupInvite({ ...inGroup, expiresAt: undefined });
    const newcomer = await createNewcomer();
    expect(await join(sealed, newcomer, token)).toMatchObject({ state: 'joined' });
    sealed.people.set(newcomer, 0);
    await commitNext(chat, sealed, member);
    expect(await stateOf(sealed)).toEqual({ epoch: 1, removal_pending: false });
  });

  it('refuses an addition that is not the own one', async () => {
    const { owner, sealed } = await createSealedGroup(chat);
    const { token, key } = await createLink(sealed, owner);
    const [newcomer, other] = [await createNewcomer(), await createNewcomer()];
    const signed = await signWith(key, sealed, other);
    expect(await refusalOf(join(sealed, newcomer, token, signed))).toMatchObject({ code: 'addition_refused' });
  });
});

describe('members whom no epoch has', () => {
  it('may wait only in private groups, and not if the change of the epoch adds them', async () => {
    const { owner, admin, sealed } = await createSealedGroup(chat, { isPublic: true });
    const { room_code: roomCode } = await chat.db('conversations').where({ id: sealed.id }).first('room_code');
    const newcomer = await createNewcomer();
    await chat.groups.joinGroup({ actorId: newcomer.userId, roomCode, inviteToken: undefined, address: '' });
    const without = await signNext(sealed, admin, { admission: 1 });
    expect(await refusalOf(commitTo(chat, sealed, admin, without))).toEqual(refused('members'));
    sealed.people.set(newcomer, 0);
    await commitNext(chat, sealed, owner, { admission: 1 });
  });

  it('become plain members, if the server had made one the owner and the header appoints another', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const newcomer = await createNewcomer();
    const inGroup = { conversationId: sealed.id };
    await invite(sealed, owner, [newcomer], []);
    await accept(sealed, newcomer);
    for (const { userId } of [admin, member])
      await chat.groups.removeMember({ ...inGroup, actorId: owner.userId, userId });
    const last = await createNewcomer();
    sealed.people.delete(admin);
    sealed.people.delete(member);
    sealed.people.set(last, 0);
    const added = await signNext(sealed, owner);
    await chat.groups.addMembers({
      ...inGroup,
      actorId: owner.userId,
      userIds: [last.userId],
      epoch: withChange(owner, added),
    });
    sealed.epoch = added;
    await chat.groups.leaveGroup({ ...inGroup, actorId: owner.userId });
    // The server's rule for successors knows no headers.
    await chat.db('members').where({ conversation_id: sealed.id, left_at: null }).update({ role: 'member' });
    await chat.db('members').where({ conversation_id: sealed.id, user_id: newcomer.userId }).update({ role: 'owner' });
    sealed.people.delete(owner);
    await commitNext(chat, sealed, last);
    expect(await listMemberRoles(chat, last.userId, sealed.id)).toEqual({
      [newcomer.userId]: 'member',
      [last.userId]: 'owner',
    });
  });
});
