import { randomUUID } from 'node:crypto';
import { limits, type Audience } from '@nolo/rules';
import { eventually } from '@nolo/testing';
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

const notFound = 'not_found conversation_not_found';
const over = 'not_found invitation_not_found';

/** Returns the choices of these people as identity sends them; they do not have the inviter as a contact. */
const choosing = (userIds: readonly string[], groupsFrom: Audience = 'contacts', isContact = false) => ({
  people: userIds.map((userId) => ({ userId, groupsFrom, isContact })),
});
const add = (actorId: string, conversationId: string, ...userIds: string[]) =>
  chat.groups.addMembers({ actorId, conversationId, userIds, choices: choosing(userIds) });
const answer = (actorId: string, conversationId: string, accept: boolean) =>
  chat.groups.answerInvitation({ actorId, conversationId, accept });
const waitingFor = async (actorId: string) =>
  (await chat.groups.listInvitations({ actorId })).invitations.map(({ conversationId }) => conversationId);
const invitedTo = async (actorId: string, conversationId: string) =>
  (await chat.groups.listInvited({ actorId, conversationId })).invited.map(({ userId }) => userId);
const countInvitationFrames = (userId: string) =>
  chat.framesTo(userId).filter(({ type }) => type === 'group_invitations_changed').length;
const remove = (actorId: string, conversationId: string, userId: string) =>
  chat.groups.removeMember({ actorId, conversationId, userId });

/** Creates a group and invites a person who knows nobody there. */
async function gatherInvited() {
  const group = await createGroupWithRoles(chat);
  const ben = await chat.person();
  const { members, invitedIds } = await add(group.admin, group.id, ben);
  expect([members, invitedIds]).toEqual([[], [ben]]);
  return { ...group, ben };
}

describe('An invited person', () => {
  test('is not in the group: reads and receives nothing, and sees its name, its size and who invited them', async () => {
    const { id, admin, member, ben } = await gatherInvited();
    const { seq } = await chat.send(member, id, { content: 'for members' });
    await eventually(() => chat.framesTo(admin).some(({ type }) => type === 'new_message'));
    expect(await chatErrorKindAndCode(chat.client.getConversation({ actorId: ben, conversationId: id }))).toBe(
      notFound,
    );
    expect(await chatErrorKindAndCode(chat.client.listMessages({ actorId: ben, conversationId: id }))).toBe(notFound);
    expect(await chatErrorKindAndCode(chat.groups.listInvited({ actorId: ben, conversationId: id }))).toBe(notFound);
    expect(await chatErrorKindAndCode(chat.send(ben, id))).toBe(notFound);
    expect((await chat.client.listConversations({ actorId: ben })).conversations).toEqual([]);
    expect((await chat.alerts.countUnread({ userIds: [ben] })).counts).toEqual([]);
    const { alerts } = await chat.alerts.listAlerts({ conversationId: id, firstSeq: seq, lastSeq: seq, userIds: [] });
    expect(alerts.map(({ userId }) => userId)).not.toContain(ben);
    expect(new Set(chat.framesTo(ben).map(({ type }) => type))).toEqual(new Set(['group_invitations_changed']));
    expect((await chat.groups.listInvitations({ actorId: ben })).invitations).toEqual([
      { conversationId: id, name: 'Walkers', memberCount: 3, invitedBy: admin, invitedAt: chat.clock.now() },
    ]);
    expect(await invitedTo(member, id)).toEqual([ben]);
  });

  test('becomes a member on every device by accepting, and can read from then on', async () => {
    const { id, owner, ben } = await gatherInvited();
    await chat.send(owner, id, { content: 'before' });
    const { conversation } = await answer(ben, id, true);
    expect(conversation).toMatchObject({ id, myRole: 'member', memberCount: 4, unreadCount: 0 });
    expect(await listMemberRoles(chat, owner, id)).toMatchObject({ [ben]: 'member' });
    expect((await listSystemMessages(chat, owner, id)).at(-1)).toEqual({ kind: 'member_joined', by: ben });
    const { messages } = await chat.client.listMessages({ actorId: ben, conversationId: id });
    expect(messages.map(({ content }) => content)).not.toContain('before');
    expect([await waitingFor(ben), await invitedTo(owner, id)]).toEqual([[], []]);
    await eventually(() => chat.framesTo(ben).some(({ type }) => type === 'conversation_created'));
    // The other device accepts what is already accepted.
    expect((await answer(ben, id, true)).conversation).toMatchObject({ id });
    expect(await chatErrorKindAndCode(answer(ben, id, false))).toBe(over);
  });

  test('declines without anyone being notified, and is not invited again', async () => {
    const { id, owner, admin, ben } = await gatherInvited();
    await eventually(() => countInvitationFrames(admin) === 1);
    await answer(ben, id, false);
    await eventually(() => countInvitationFrames(ben) === 2);
    expect(await waitingFor(ben)).toEqual([]);
    expect(await chatErrorKindAndCode(answer(ben, id, true))).toBe(over);
    // The others see no difference, and neither does a repeated invitation.
    expect(await invitedTo(admin, id)).toEqual([ben]);
    expect((await add(owner, id, ben)).invitedIds).toEqual([ben]);
    await remove(owner, id, ben);
    expect(await invitedTo(admin, id)).toEqual([]);
    expect((await add(admin, id, ben)).invitedIds).toEqual([ben]);
    expect(await invitedTo(admin, id)).toEqual([ben]);
    await eventually(() => countInvitationFrames(admin) === 4);
    expect(await waitingFor(ben)).toEqual([]);
    // A person who changed their mind joins by code without waiting.
    const { meta } = await chat.client.getConversation({ actorId: owner, conversationId: id });
    expect(await joinByRoomCode(chat, ben, meta?.group?.roomCode ?? '')).toMatchObject({ state: 'joined' });
    expect(await invitedTo(admin, id)).toEqual([]);
  });

  test('receives nothing more about the actions of someone they blocked', async () => {
    const { id, admin, owner, ben } = await gatherInvited();
    await chat.block(ben, admin);
    expect(await waitingFor(ben)).toEqual([]);
    expect(await chatErrorKindAndCode(answer(ben, id, true))).toBe(over);
    await add(owner, id, ben);
    expect(await waitingFor(ben)).toEqual([id]);
  });

  test('is listed once, however often and by however many admins, and for members only', async () => {
    const { id, owner, admin, member, ben } = await gatherInvited();
    expect(await chatErrorKindAndCode(add(member, id, ben))).toBe('forbidden not_admin');
    const tries = await Promise.all([owner, admin, owner, admin].map((actorId) => add(actorId, id, ben)));
    expect(tries.map(({ invitedIds }) => invitedIds)).toEqual(Array.from({ length: 4 }, () => [ben]));
    expect([await waitingFor(ben), await invitedTo(member, id)]).toEqual([[id], [ben]]);
    expect(
      await chatErrorKindAndCode(chat.groups.listInvited({ actorId: await chat.person(), conversationId: id })),
    ).toBe(notFound);
    expect(await chatErrorKindAndCode(answer(await chat.person(), id, true))).toBe(over);
  });
});

test.each<[Audience, string, boolean]>([
  ['everyone', 'stranger', true],
  ['contacts', 'stranger', false],
  ['contacts', 'contact', true],
  ['contacts', 'accepted', true],
  ['contacts', 'asking', false],
  ['nobody', 'contact', false],
  ['nobody', 'accepted', false],
])('groups from %s: a %s joins directly: %s', async (groupsFrom, who, isIn) => {
  const [owner, ben, cas] = await Promise.all([chat.person(), chat.person(), chat.person()]);
  if (who === 'accepted') await chat.openAccepted(owner, ben);
  if (who === 'asking') await chat.client.getOrCreateDirect({ actorId: owner, otherUserId: ben });
  const choices = choosing([ben], groupsFrom, who === 'contact');
  const made = await createTestGroup(chat, owner, { memberIds: [ben, cas], choices });
  expect(await listMemberRoles(chat, owner, made.id)).toEqual({
    [owner]: 'owner',
    [cas]: 'member',
    ...(isIn && { [ben]: 'member' }),
  });
  expect(await waitingFor(ben)).toEqual(isIn ? [] : [made.id]);
  // The second person's choice allows adding them without asking.
  const later = await chat.groups.addMembers({
    actorId: owner,
    conversationId: made.id,
    userIds: [ben],
    choices: choosing([ben], 'everyone'),
  });
  expect(later.members.map(({ userId }) => userId)).toEqual(isIn ? [] : [ben]);
  expect(await waitingFor(ben)).toEqual([]);
});

describe('An invitation', () => {
  test('ends when an admin withdraws it, and no longer admits anyone', async () => {
    const { id, admin, member, ben } = await gatherInvited();
    expect(await chatErrorKindAndCode(remove(member, id, ben))).toBe('forbidden not_admin');
    await remove(admin, id, ben);
    await eventually(() => countInvitationFrames(ben) === 2);
    expect([await waitingFor(ben), await invitedTo(member, id)]).toEqual([[], []]);
    expect(await chatErrorKindAndCode(answer(ben, id, true))).toBe(over);
    expect(await chatErrorKindAndCode(remove(admin, id, ben))).toBe('not_found member_not_found');
    // A withdrawn invitation that was not declined can be repeated.
    await add(admin, id, ben);
    expect(await waitingFor(ben)).toEqual([id]);
  });

  test('ends when the invited person is banned, or with the group', async () => {
    const banned = await gatherInvited();
    await chat.groups.banMember({ actorId: banned.admin, conversationId: banned.id, userId: banned.ben });
    expect(await waitingFor(banned.ben)).toEqual([]);
    const { id, owner, admin, member, ben } = await gatherInvited();
    for (const actorId of [member, admin, owner]) await chat.groups.leaveGroup({ actorId, conversationId: id });
    await eventually(() => countInvitationFrames(ben) === 2);
    expect(await waitingFor(ben)).toEqual([]);
    expect(await chatErrorKindAndCode(answer(ben, id, true))).toBe(over);
  });

  test('ends with the account of the invited or the inviting person', async () => {
    const { id, admin, owner, ben } = await gatherInvited();
    const cas = await chat.person();
    await add(owner, id, cas);
    const erase = (userId: string) =>
      chat.publishEvent('event.identity.user_deleted', { userId }, nextEventId(), userId);
    await erase(ben);
    await eventually(async () => (await invitedTo(admin, id)).length === 1);
    await erase(owner);
    await eventually(async () => (await waitingFor(cas)).length === 0);
    expect(await chat.db('group_invitations').where({ conversation_id: id })).toEqual([]);
  });

  test('expires, and a declined one is forgotten as well', async () => {
    const { id, admin, ben } = await gatherInvited();
    const declined = await gatherInvited();
    await answer(declined.ben, declined.id, false);
    const aged = new Date(chat.clock.now().getTime() - (limits.groupInvitationDays + 1) * 86_400_000);
    await chat.db('group_invitations').whereIn('conversation_id', [id, declined.id]).update({ invited_at: aged });
    chat.clock.advance(600_000);
    await eventually(async () => (await invitedTo(admin, id)).length === 0);
    await eventually(async () => (await invitedTo(declined.admin, declined.id)).length === 0);
    expect(await waitingFor(ben)).toEqual([]);
    await eventually(() => countInvitationFrames(ben) === 2);
  });
});

describe('Concurrent actions on an invitation', () => {
  test('accepting and withdrawing end with a member or nobody, and no invitation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, admin, ben } = await gatherInvited();
      const [accepted, withdrawn] = await Promise.all([
        chatErrorKindAndCode(answer(ben, id, true)),
        chatErrorKindAndCode(remove(admin, id, ben)),
      ]);
      // Withdrawing it after acceptance removes the member.
      expect([accepted, withdrawn]).toEqual([expect.stringMatching(/^(none|not_found \w+)$/), 'none']);
      expect((await listMemberRoles(chat, admin, id))[ben]).toBeUndefined();
      expect([await waitingFor(ben), await invitedTo(admin, id)]).toEqual([[], []]);
    }
  });

  test('accepting while the last member leaves ends in a group with an owner, or in none', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner, ben] = await Promise.all([chat.person(), chat.person()]);
      const { id } = await createTestGroup(chat, owner, { memberIds: [ben], choices: choosing([ben]) });
      const [accepted] = await Promise.all([
        chatErrorKindAndCode(answer(ben, id, true)),
        chat.groups.leaveGroup({ actorId: owner, conversationId: id }),
      ]);
      // A person who joined just before is the owner by now.
      const roles = await listMemberRoles(chat, ben, id).catch(() => ({}));
      expect(roles).toEqual(accepted === 'none' ? { [ben]: 'owner' } : {});
      expect(await waitingFor(ben)).toEqual([]);
    }
  });

  test('accepting twice joins once, and a full group takes no one', async () => {
    const owner = await chat.person();
    const people = await Promise.all(Array.from({ length: 4 }, () => chat.person()));
    const { id } = await createTestGroup(chat, owner, { memberIds: people, choices: choosing(people), maxMembers: 5 });
    await chat.groups.updateGroup({ actorId: owner, conversationId: id, maxMembers: 3 });
    const answers = await Promise.all(
      [...people, ...people].map((actorId) => chatErrorKindAndCode(answer(actorId, id, true))),
    );
    expect(answers.filter((one) => one === 'none')).toHaveLength(4);
    expect(answers.filter((one) => one === 'conflict group_full')).toHaveLength(4);
    const view = await chat.client.getConversation({ actorId: owner, conversationId: id });
    expect(view.memberCount).toBe(3);
    const joined = (await listSystemMessages(chat, owner, id)).filter(({ kind }) => kind === 'member_joined');
    expect(joined).toHaveLength(2);
  });
});

test('invitations per group and per person are limited', async () => {
  const owner = await chat.person();
  const { id } = await createTestGroup(chat, owner);
  const rows = (count: number, of: () => { conversation_id: string; user_id: string }) =>
    Array.from({ length: count }, () => ({ ...of(), invited_by: owner, invited_at: chat.clock.now() }));
  await chat
    .db('group_invitations')
    .insert(rows(limits.groupInvitations, () => ({ conversation_id: id, user_id: randomUUID() })));
  expect(await chatErrorKindAndCode(add(owner, id, await chat.person()))).toBe('conflict too_many_invited');

  const invitee = await chat.person();
  const groups: string[] = [];
  // Runs sequentially: all at once would wait for the connections of one service longer than a request may.
  while (groups.length < limits.groupInvitationsPerUser) groups.push((await createTestGroup(chat, owner)).id);
  const left = [...groups];
  await chat
    .db('group_invitations')
    .insert(rows(groups.length, () => ({ conversation_id: left.pop() ?? '', user_id: invitee })));
  const more = await createTestGroup(chat, owner);
  const { invitedIds, skipped } = await add(owner, more.id, invitee);
  expect([invitedIds, skipped]).toEqual([[], [{ userId: invitee, reason: 'unavailable' }]]);
  // Existing invitations do not count as new.
  expect((await add(owner, groups[0] ?? '', invitee)).invitedIds).toEqual([invitee]);
});
