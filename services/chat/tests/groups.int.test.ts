import { randomUUID } from 'node:crypto';
import { limits, roomCodeKindOf } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { aCreateGroupRequest } from '@nolo/testing/protos';
import { nextEventId, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import {
  createTestGroup,
  createGroupWithRoles,
  joinByRoomCode,
  listSystemMessages,
  listMemberRoles,
} from './groupFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const view = (actorId: string, conversationId: string) => chat.client.getConversation({ actorId, conversationId });
const framesOf = (userId: string, type: string) => chat.framesTo(userId).filter((frame) => frame.type === type);

describe('a new group', () => {
  test('has its owner, its members, its own kind of code, and nothing unread', async () => {
    const [owner, ben] = await Promise.all([chat.person(), chat.person()]);
    const group = await createTestGroup(chat, owner, { name: '  Walkers  ', memberIds: [ben, ben, owner] });
    expect(group).toMatchObject({
      type: 'group',
      myRole: 'owner',
      memberCount: 2,
      unreadCount: 0,
      lastSeq: 1,
      meta: { name: 'Walkers', group: { isPublic: false, maxMembers: 100, hasInvite: false } },
    });
    expect(roomCodeKindOf(group.meta?.group?.roomCode ?? '')).toBe('group');
    expect(await view(ben, group.id)).toMatchObject({ myRole: 'member', unreadCount: 0 });
    expect(await listSystemMessages(chat, ben, group.id)).toEqual([
      { kind: 'group_created', name: 'Walkers', by: owner },
    ]);
    await eventually(() => framesOf(ben, 'conversation_created').length === 1);
  });

  test('leaves out people separated by a block', async () => {
    const [owner, ben, eve] = await Promise.all([chat.person(), chat.person(), chat.person()]);
    await chat.block(eve, owner);
    const { conversation, skipped } = await chat.groups.createGroup(
      aCreateGroupRequest({ actorId: owner, memberIds: [ben, eve] }),
    );
    expect(conversation?.memberCount).toBe(2);
    expect(skipped).toEqual([{ userId: eve, reason: 'unavailable' }]);
  });

  test.each([
    ['a blank name', { name: '  ' }],
    ['too long a name', { name: 'x'.repeat(limits.groupNameLength + 1) }],
    ['an invisible name', { name: '\u200b\u2800\u0000' }],
    ['too long a description', { description: 'x'.repeat(limits.groupDescriptionLength + 1) }],
    ['too few', { maxMembers: 1 }],
    ['too many', { maxMembers: 501 }],
    ['a capacity below its size', { maxMembers: 2, memberIds: [randomUUID(), randomUUID()] }],
  ])('is not created with %s', async (_what, more) => {
    expect(await chatErrorKindAndCode(createTestGroup(chat, randomUUID(), more))).toBe('invalid group_invalid');
  });

  test('can start with 500 members', async () => {
    const owner = await chat.person();
    const memberIds = Array.from({ length: 499 }, () => randomUUID());
    const group = await createTestGroup(chat, owner, { memberIds });
    expect(group).toMatchObject({ memberCount: 500, meta: { group: { maxMembers: 500 } } });
    // A list never includes all members; they are paged.
    expect(group.members).toHaveLength(5);
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await chat.groups.listMembers({ actorId: owner, conversationId: group.id, cursor, limit: 100 });
      expect(page.members.length).toBeLessThanOrEqual(100);
      for (const { userId } of page.members) seen.add(userId);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(new Set([owner, ...memberIds]));
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, randomUUID(), group.meta?.group?.roomCode ?? ''))).toBe(
      'conflict group_full',
    );
  });

  test('lists all members when fetched alone, while the group is small enough for shared receipts', async () => {
    const owner = await chat.person();
    const memberIds = Array.from({ length: limits.receiptsToAllMembers - 1 }, () => randomUUID());
    const { id } = await createTestGroup(chat, owner, { memberIds });
    const listMembers = async () => (await chat.client.getConversation({ actorId: owner, conversationId: id })).members;
    expect(new Set((await listMembers()).map(({ userId }) => userId))).toEqual(new Set([owner, ...memberIds]));
    await chat.groups.addMembers({ actorId: owner, conversationId: id, userIds: [randomUUID()] });
    expect(await listMembers()).toHaveLength(5);
  });
});

describe('roles', () => {
  test('members are refused owner and admin actions; to outsiders the group does not exist', async () => {
    const { id: conversationId, owner, admin, member } = await createGroupWithRoles(chat);
    const other = await chat.person();
    const acts = (actorId: string): [string, () => Promise<unknown>][] => [
      ['rename', () => chat.groups.updateGroup({ actorId, conversationId, name: 'Runners' })],
      ['picture', () => chat.groups.setGroupPicture({ actorId, conversationId })],
      ['add', () => chat.groups.addMembers({ actorId, conversationId, userIds: [other] })],
      ['ban', () => chat.groups.banMember({ actorId, conversationId, userId: randomUUID() })],
      ['unban', () => chat.groups.unbanMember({ actorId, conversationId, userId: randomUUID() })],
      ['bans', () => chat.groups.listBans({ actorId, conversationId })],
      ['requests', () => chat.groups.listJoinRequests({ actorId, conversationId })],
      ['code', () => chat.groups.rotateGroupCode({ actorId, conversationId, expiresAt: undefined })],
      ['invite', () => chat.groups.createGroupInvite({ actorId, conversationId, expiresAt: undefined })],
      ['check', () => chat.groups.checkAdmin({ actorId, conversationId })],
    ];
    for (const [, act] of acts(member)) expect(await chatErrorKindAndCode(act())).toBe('forbidden not_admin');
    for (const [, act] of acts(randomUUID()))
      expect(await chatErrorKindAndCode(act())).toBe('not_found conversation_not_found');
    for (const [name, act] of acts(admin)) expect([name, await chatErrorKindAndCode(act())]).toEqual([name, 'none']);
    expect(await listMemberRoles(chat, owner, conversationId)).toEqual({
      [owner]: 'owner',
      [admin]: 'admin',
      [member]: 'member',
      [other]: 'member',
    });
  });

  test('admins can remove members but not each other; the owner can remove anyone', async () => {
    const { id: conversationId, owner, admin, member } = await createGroupWithRoles(chat);
    const remove = (actorId: string, userId: string) => chat.groups.removeMember({ actorId, conversationId, userId });
    expect(await chatErrorKindAndCode(remove(member, admin))).toBe('forbidden not_admin');
    expect(await chatErrorKindAndCode(remove(admin, owner))).toBe('forbidden not_owner');
    expect(await chatErrorKindAndCode(remove(admin, randomUUID()))).toBe('not_found member_not_found');
    await remove(admin, member);
    await remove(owner, admin);
    expect(await listMemberRoles(chat, owner, conversationId)).toEqual({ [owner]: 'owner' });
    await eventually(() => framesOf(member, 'conversation_removed').length === 1);
    expect(framesOf(member, 'conversation_removed')[0]?.data).toEqual({ conversationId, reason: 'removed' });
  });

  test('only the owner assigns roles and transfers the group', async () => {
    const { id: conversationId, owner, admin, member } = await createGroupWithRoles(chat);
    const give = (actorId: string, userId: string, role: string) =>
      chat.groups.setRole({ actorId, conversationId, userId, role });
    expect(await chatErrorKindAndCode(give(admin, member, 'admin'))).toBe('forbidden not_owner');
    expect(await chatErrorKindAndCode(give(owner, member, 'owner'))).toBe('invalid group_invalid');
    expect(await chatErrorKindAndCode(give(owner, owner, 'member'))).toBe('invalid group_invalid');
    await give(owner, member, 'admin');
    await chat.groups.handOverGroup({ actorId: owner, conversationId, userId: member });
    expect(await listMemberRoles(chat, owner, conversationId)).toEqual({
      [member]: 'owner',
      [admin]: 'admin',
      [owner]: 'admin',
    });
    expect(
      await chatErrorKindAndCode(chat.groups.handOverGroup({ actorId: owner, conversationId, userId: admin })),
    ).toBe('forbidden not_owner');
  });
});

describe('leaving', () => {
  test('passes ownership to the longest-standing admin, then member; the last one out revokes the code', async () => {
    const { id: conversationId, code, owner, admin, member } = await createGroupWithRoles(chat, { isPublic: true });
    const leave = (actorId: string) => chat.groups.leaveGroup({ actorId, conversationId });
    await leave(owner);
    expect(await listMemberRoles(chat, member, conversationId)).toEqual({ [admin]: 'owner', [member]: 'member' });
    await leave(admin);
    expect(await listMemberRoles(chat, member, conversationId)).toEqual({ [member]: 'owner' });
    expect((await listSystemMessages(chat, member, conversationId)).slice(-4)).toEqual([
      { kind: 'member_left', by: owner },
      { kind: 'owner_changed', userId: admin, by: owner },
      { kind: 'member_left', by: admin },
      { kind: 'owner_changed', userId: member, by: admin },
    ]);
    await leave(member);
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, randomUUID(), code))).toBe(
      'not_found conversation_not_found',
    );
  });

  test('hides later messages, and rejoining does not bring them back', async () => {
    const { id: conversationId, code, owner, member } = await createGroupWithRoles(chat, { isPublic: true });
    await chat.send(owner, conversationId, { content: 'before' });
    await chat.groups.leaveGroup({ actorId: member, conversationId });
    await chat.send(owner, conversationId, { content: 'behind their back' });
    const read = chat.client.listMessages({ actorId: member, conversationId });
    expect(await chatErrorKindAndCode(read)).toBe('not_found conversation_not_found');
    expect(await chatErrorKindAndCode(chat.send(member, conversationId))).toBe('not_found conversation_not_found');
    expect(await joinByRoomCode(chat, member, code)).toMatchObject({ state: 'joined', entered: true });
    const { messages } = await chat.client.listMessages({ actorId: member, conversationId });
    expect(messages.map(({ content }) => JSON.parse(content))).toEqual([{ kind: 'member_joined' }]);
    expect((await view(member, conversationId)).unreadCount).toBe(0);
  });

  test('a deleted account leaves its groups, which pass to a new owner', async () => {
    const { id: conversationId, owner, admin } = await createGroupWithRoles(chat);
    await chat.publishEvent('event.identity.user_deleted', { userId: owner }, nextEventId());
    await eventually(async () => (await listMemberRoles(chat, admin, conversationId))[admin] === 'owner');
    expect(Object.keys(await listMemberRoles(chat, admin, conversationId))).not.toContain(owner);
  });
});

describe('group details', () => {
  test('a change is announced to all members, numbered in the feed, and states what changed', async () => {
    const { id: conversationId, owner, admin, member } = await createGroupWithRoles(chat);
    const before = (await view(member, conversationId)).changeSeq;
    await chat.groups.updateGroup({
      actorId: admin,
      conversationId,
      name: 'Runners',
      description: 'We run.',
      isPublic: true,
      maxMembers: 50,
      allowFileSharing: false,
      moderationEnabled: false,
    });
    expect((await listSystemMessages(chat, member, conversationId)).slice(-3)).toEqual([
      { kind: 'name_changed', name: 'Runners', by: admin },
      { kind: 'description_changed', by: admin },
      { kind: 'settings_changed', settings: { isPublic: true, allowFileSharing: false }, by: admin },
    ]);
    await eventually(() => framesOf(member, 'conversation_updated').length === 1);
    const [frame] = framesOf(member, 'conversation_updated');
    const conversation = {
      id: conversationId,
      name: 'Runners',
      description: 'We run.',
      pictureUrl: null,
      disappearingSeconds: null,
      sealedFromSeq: null,
      isReplaced: false,
      group: {
        isPublic: true,
        maxMembers: 50,
        roomCode: expect.stringMatching(/^[2-9A-HJ-NP-Z]{6}$/),
        codeExpiresAt: null,
        hasInvite: false,
        inviteExpiresAt: null,
        callSince: null,
        settings: {
          allowScreenShare: true,
          allowFileSharing: false,
          allowRecording: false,
          moderationEnabled: false,
          requireApproval: false,
        },
      },
    };
    expect(frame?.data).toEqual({ conversationId, changeSeq: before + 1, conversation });
    const feed = await chat.client.listChanges({ actorId: owner, conversationId, since: before });
    expect(feed.changes.map(({ what }) => what?.$case)).toEqual(['conversation', 'message', 'message', 'message']);
    expect(feed.changes[0]).toMatchObject({ changeSeq: before + 1, what: { value: { name: 'Runners' } } });
    const retry = await chat.groups.updateGroup({ actorId: admin, conversationId, name: 'Runners' });
    expect(retry.changeSeq).toBe(feed.changeSeq);
  });

  test('a picture replaces the previous one, and only our own files are accepted', async () => {
    const { id: conversationId, admin, member } = await createGroupWithRoles(chat);
    const set = (picturePath: string) => chat.groups.setGroupPicture({ actorId: admin, conversationId, picturePath });
    const first = `/objects/${randomUUID()}`;
    expect(await set(first)).toEqual({ formerPath: undefined });
    expect(await set('')).toEqual({ formerPath: first });
    expect(await chatErrorKindAndCode(set('https://elsewhere.example/x.png'))).toBe('invalid group_invalid');
    expect((await listSystemMessages(chat, member, conversationId)).slice(-2)).toMatchObject([
      { kind: 'picture_changed', removed: false },
      { kind: 'picture_changed', removed: true },
    ]);
  });

  test('files are refused to members if the group forbids them', async () => {
    const { id, owner, member } = await createGroupWithRoles(chat);
    await chat.groups.updateGroup({ actorId: owner, conversationId: id, allowFileSharing: false });
    for (const messageType of ['image', 'video', 'file', 'voice']) {
      const by = (actorId: string) => ({ messageType, attachment: chat.attach(actorId, messageType) });
      expect(await chatErrorKindAndCode(chat.send(member, id, by(member)))).toBe('forbidden files_refused');
      await chat.send(owner, id, by(owner));
    }
    await chat.send(member, id, { hasLink: true });
  });
});

describe('membership events', () => {
  test('each membership change has its number, without gaps', async () => {
    const { id: conversationId, code, owner, admin, member } = await createGroupWithRoles(chat, { isPublic: true });
    const since = (await view(owner, conversationId)).changeSeq;
    const [ben, cleo] = await Promise.all([chat.person(), chat.person()]);
    await chat.groups.addMembers({ actorId: admin, conversationId, userIds: [ben, cleo] });
    await joinByRoomCode(chat, await chat.person(), code);
    await chat.groups.removeMember({ actorId: owner, conversationId, userId: member });
    const { changeSeq } = await view(owner, conversationId);
    const listReceivedChangeSeqs = () =>
      chat.framesTo(owner).flatMap((frame): number[] => {
        if (frame.type === 'members_changed' && frame.data.conversationId === conversationId) {
          return frame.data.members.map((one) => one.changeSeq);
        }
        return frame.type === 'new_message' && frame.data.conversationId === conversationId
          ? [frame.data.changeSeq]
          : [];
      });
    const expected = Array.from({ length: changeSeq - since }, (_, index) => since + 1 + index);
    await eventually(() => expected.every((one) => listReceivedChangeSeqs().includes(one)));
    expect(
      listReceivedChangeSeqs()
        .filter((one) => one > since)
        .toSorted((a, b) => a - b),
    ).toEqual(expected);
  });
});
