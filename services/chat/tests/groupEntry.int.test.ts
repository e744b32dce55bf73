import { randomUUID } from 'node:crypto';
import { limits, newRoomCode, normalizeRoomCode, rateLimits, type RateLimitName } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
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

const requestsOf = async (actorId: string, conversationId: string) => {
  const { requests } = await chat.groups.listJoinRequests({ actorId, conversationId });
  return requests.map(({ userId }) => userId);
};
const decide = (actorId: string, conversationId: string, userId: string, approve: boolean) =>
  chat.groups.decideJoinRequest({ actorId, conversationId, userId, approve });
const invite = async (actorId: string, conversationId: string, expiresAt?: Date) =>
  (await chat.groups.createGroupInvite({ actorId, conversationId, expiresAt })).token;
const lookUp = (actorId: string, idOrCode: string) => chat.groups.lookUpGroup({ actorId, idOrCode, address: '' });

describe('joining by code', () => {
  test('a public group admits people directly, ignoring case and spaces in the code', async () => {
    const { id, code, owner } = await createGroupWithRoles(chat, { isPublic: true });
    const ben = await chat.person();
    const typed = ` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)} `;
    expect(normalizeRoomCode(typed)).toBe(code);
    expect(await joinByRoomCode(chat, ben, typed)).toMatchObject({
      state: 'joined',
      entered: true,
      conversation: { id },
    });
    expect(await joinByRoomCode(chat, ben, code)).toMatchObject({ state: 'joined', entered: false });
    expect((await listMemberRoles(chat, owner, id))[ben]).toBe('member');
    expect((await listSystemMessages(chat, owner, id)).at(-1)).toEqual({ kind: 'member_joined', by: ben });
  });

  test('a private group creates a request, which admins can approve or reject', async () => {
    const { id, code, owner, admin, member } = await createGroupWithRoles(chat);
    const [ben, cleo] = await Promise.all([chat.person(), chat.person()]);
    expect(await joinByRoomCode(chat, ben, code)).toMatchObject({
      state: 'waiting',
      conversation: undefined,
      name: 'Walkers',
    });
    await joinByRoomCode(chat, ben, code);
    chat.clock.advance(1_000);
    await joinByRoomCode(chat, cleo, code);
    expect(await requestsOf(admin, id)).toEqual([ben, cleo]);
    expect((await chat.client.getConversation({ actorId: admin, conversationId: id })).requestCount).toBe(2);
    expect((await chat.client.getConversation({ actorId: member, conversationId: id })).requestCount).toBe(0);
    expect(await chatErrorKindAndCode(chat.send(ben, id))).toBe('not_found conversation_not_found');
    expect(await chatErrorKindAndCode(decide(member, id, ben, true))).toBe('forbidden not_admin');
    await decide(admin, id, ben, true);
    await decide(owner, id, cleo, false);
    expect(await chatErrorKindAndCode(decide(owner, id, cleo, true))).toBe('not_found request_not_found');
    expect((await listMemberRoles(chat, owner, id))[ben]).toBe('member');
    expect((await listSystemMessages(chat, owner, id)).at(-1)).toEqual({
      kind: 'member_joined',
      admittedBy: admin,
      by: ben,
    });
    await eventually(() => chat.framesTo(cleo).some(({ type }) => type === 'join_request_denied'));
    const counts = () =>
      chat.framesTo(admin).flatMap((frame) => (frame.type === 'join_requests_changed' ? [frame.data.count] : []));
    await eventually(() => counts().at(-1) === 0);
    expect(chat.framesTo(member).some(({ type }) => type === 'join_requests_changed')).toBe(false);
    // A rejected person may ask again.
    expect(await joinByRoomCode(chat, cleo, code)).toMatchObject({ state: 'waiting' });
  });

  test('an applicant can withdraw by code, and ask again', async () => {
    const { id, code, owner, admin, member } = await createGroupWithRoles(chat);
    const ben = await chat.person();
    const withdraw = (actorId: string, roomCode = code) =>
      chat.groups.withdrawJoinRequest({ actorId, roomCode, address: '' });
    await joinByRoomCode(chat, ben, code);
    expect(await requestsOf(admin, id)).toEqual([ben]);
    await withdraw(ben);
    expect(await requestsOf(admin, id)).toEqual([]);
    expect((await lookUp(ben, code)).group).toMatchObject({ value: { membership: 'none' } });
    const counts = () =>
      chat.framesTo(admin).flatMap((frame) => (frame.type === 'join_requests_changed' ? [frame.data.count] : []));
    await eventually(() => counts().at(-1) === 0 && counts().length === 2);
    await eventually(() => chat.framesTo(ben).some(({ type }) => type === 'join_request_denied'));
    // Repeated requests, and those of people who never asked, do nothing; no membership ends.
    await withdraw(ben);
    await withdraw(member);
    await withdraw(await chat.person());
    expect(counts()).toHaveLength(2);
    expect((await listMemberRoles(chat, owner, id))[member]).toBe('member');
    expect(await chatErrorKindAndCode(decide(owner, id, ben, true))).toBe('not_found request_not_found');
    expect(await chatErrorKindAndCode(withdraw(ben, 'ZZZZZZ'))).toBe('not_found conversation_not_found');
    expect(await joinByRoomCode(chat, ben, code)).toMatchObject({ state: 'waiting' });
  });

  test('an applicant sees their own requests on all devices until the group answers', async () => {
    const { id, code, owner, admin } = await createGroupWithRoles(chat);
    const [ben, cleo] = [await chat.person(), await chat.person()];
    const own = async (actorId: string) => (await chat.groups.listOwnJoinRequests({ actorId })).requests;
    const listJoinRequestFrames = (userId: string) =>
      chat.framesTo(userId).flatMap(({ type, data }) => {
        if (type === 'join_request_sent') return [type];
        return type === 'join_request_denied' ? [`withdrawn ${data.withdrawn}`] : [];
      });
    await joinByRoomCode(chat, ben, code);
    await joinByRoomCode(chat, cleo, code);
    expect(await own(ben)).toMatchObject([{ conversationId: id, name: 'Walkers', memberCount: 3 }]);
    expect((await own(ben))[0]?.requestedAt).toEqual(chat.clock.now());
    await eventually(() => listJoinRequestFrames(ben).length === 1);
    // A new code neither removes a request nor prevents withdrawing it.
    await chat.groups.rotateGroupCode({ actorId: owner, conversationId: id, expiresAt: undefined });
    const cancel = (actorId: string, conversationId = id) =>
      chat.groups.withdrawJoinRequest({ actorId, roomCode: '', address: '', conversationId });
    await cancel(ben);
    await cancel(ben);
    await cancel(ben, randomUUID());
    expect(await own(ben)).toEqual([]);
    await decide(admin, id, cleo, false);
    expect(await own(cleo)).toEqual([]);
    await eventually(() => listJoinRequestFrames(ben).length === 2 && listJoinRequestFrames(cleo).length === 2);
    expect([listJoinRequestFrames(ben), listJoinRequestFrames(cleo)]).toEqual([
      ['join_request_sent', 'withdrawn true'],
      ['join_request_sent', 'withdrawn false'],
    ]);
    expect(await own(owner)).toEqual([]);
  });

  test('a full group admits no one, and never more people than it has room for', async () => {
    const owner = await chat.person();
    const group = await createTestGroup(chat, owner, { isPublic: true, maxMembers: 5 });
    const code = group.meta?.group?.roomCode ?? '';
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => chatErrorKindAndCode(joinByRoomCode(chat, randomUUID(), code))),
    );
    expect(answers.filter((answer) => answer === 'none')).toHaveLength(4);
    expect(answers.filter((answer) => answer === 'conflict group_full')).toHaveLength(8);
    expect(Object.keys(await listMemberRoles(chat, owner, group.id))).toHaveLength(5);
  });

  test('joining twice at the same moment joins once', async () => {
    const { id, code, owner } = await createGroupWithRoles(chat, { isPublic: true });
    const ben = await chat.person();
    const answers = await Promise.all(Array.from({ length: 6 }, () => joinByRoomCode(chat, ben, code)));
    expect(answers.filter(({ entered }) => entered)).toHaveLength(1);
    const systemMessages = await listSystemMessages(chat, owner, id);
    expect(systemMessages.filter(({ kind, by }) => kind === 'member_joined' && by === ben)).toHaveLength(1);
    expect((await chat.client.getConversation({ actorId: owner, conversationId: id })).memberCount).toBe(4);
  });

  test('a rotated, revoked or expired code opens nothing, and members notice nothing', async () => {
    const { id, code, owner, member } = await createGroupWithRoles(chat, { isPublic: true });
    const rotated = await chat.groups.rotateGroupCode({
      actorId: owner,
      conversationId: id,
      expiresAt: new Date(chat.clock.now().getTime() + 60_000),
    });
    const next = rotated.meta?.group?.roomCode ?? '';
    expect(next).not.toBe(code);
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, randomUUID(), code))).toBe(
      'not_found conversation_not_found',
    );
    expect(await joinByRoomCode(chat, randomUUID(), next)).toMatchObject({ state: 'joined' });
    chat.clock.advance(60_000);
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, randomUUID(), next))).toBe(
      'not_found conversation_not_found',
    );
    expect((await lookUp(member, next)).group?.$case).toBe('conversation');
    await chat.groups.expireGroupCode({ actorId: owner, conversationId: id });
    expect(await chatErrorKindAndCode(lookUp(member, next))).toBe('not_found conversation_not_found');
    expect((await lookUp(member, id)).group?.$case).toBe('conversation');
    const past = chat.groups.rotateGroupCode({ actorId: owner, conversationId: id, expiresAt: new Date(0) });
    expect(await chatErrorKindAndCode(past)).toBe('invalid group_invalid');
  });
});

describe('an invite link', () => {
  test('admits people directly until it is replaced, revoked or expired; the token is never stored', async () => {
    const { id, code, owner } = await createGroupWithRoles(chat);
    const first = await invite(owner, id);
    expect(Buffer.from(first, 'base64url').length * 8).toBeGreaterThanOrEqual(64);
    expect(await joinByRoomCode(chat, randomUUID(), code, first)).toMatchObject({ state: 'joined' });
    const second = await invite(owner, id, new Date(chat.clock.now().getTime() + 60_000));
    expect(await joinByRoomCode(chat, randomUUID(), code, first)).toMatchObject({ state: 'waiting' });
    expect(await joinByRoomCode(chat, randomUUID(), code, second)).toMatchObject({ state: 'joined' });
    chat.clock.advance(60_000);
    expect(await joinByRoomCode(chat, randomUUID(), code, second)).toMatchObject({ state: 'waiting' });
    const third = await invite(owner, id);
    await chat.groups.revokeGroupInvite({ actorId: owner, conversationId: id });
    expect(await joinByRoomCode(chat, randomUUID(), code, third)).toMatchObject({ state: 'waiting' });
    const rows = JSON.stringify(await chat.db('conversations').where({ id }));
    for (const token of [first, second, third]) expect(rows).not.toContain(token);
  });

  test('does not readmit removed members: they wait, except in a public group', async () => {
    const { id, code, owner, member } = await createGroupWithRoles(chat);
    const token = await invite(owner, id);
    await chat.groups.removeMember({ actorId: owner, conversationId: id, userId: member });
    expect(await joinByRoomCode(chat, member, code, token)).toMatchObject({ state: 'waiting' });
    await chat.groups.updateGroup({ actorId: owner, conversationId: id, isPublic: true });
    expect(await joinByRoomCode(chat, member, code)).toMatchObject({ state: 'joined', entered: true });
    expect(await requestsOf(owner, id)).toEqual([]);
  });

  test('never readmits a banned person before the ban is lifted', async () => {
    const { id, code, owner, admin, member } = await createGroupWithRoles(chat, { isPublic: true });
    const token = await invite(owner, id);
    await chat.groups.banMember({ actorId: admin, conversationId: id, userId: member });
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, member, code, token))).toBe('forbidden banned');
    const added = await chat.groups.addMembers({ actorId: owner, conversationId: id, userIds: [member] });
    expect(added.skipped).toEqual([{ userId: member, reason: 'banned' }]);
    expect((await lookUp(member, code)).group).toMatchObject({ $case: 'preview', value: { membership: 'banned' } });
    const { bans } = await chat.groups.listBans({ actorId: owner, conversationId: id });
    expect(bans).toMatchObject([{ userId: member, bannedBy: admin }]);
    await chat.groups.unbanMember({ actorId: admin, conversationId: id, userId: member });
    expect(await joinByRoomCode(chat, member, code)).toMatchObject({ state: 'joined' });
  });
});

describe('a person outside the group', () => {
  test('learns name and size of the group from a code, and nothing from an id', async () => {
    const { id, code } = await createGroupWithRoles(chat);
    const ben = await chat.person();
    const seen = async () => (await lookUp(ben, code)).group;
    const value = { name: 'Walkers', memberCount: 3, maxMembers: 100, isPublic: false, guarded: false, roomCode: code };
    expect(await seen()).toEqual({ $case: 'preview', value: { ...value, picturePath: undefined, membership: 'none' } });
    await joinByRoomCode(chat, ben, code);
    expect(await seen()).toMatchObject({ value: { membership: 'waiting' } });
    expect(JSON.stringify(await seen())).not.toContain(id);
    expect(await chatErrorKindAndCode(lookUp(ben, id))).toBe('not_found conversation_not_found');
    for (const nothing of ['', 'x', '000000', 'ZZZZZZ', "'; drop table", '🙂🙂🙂', 'A'.repeat(10_000)]) {
      expect(await chatErrorKindAndCode(lookUp(randomUUID(), nothing))).toBe('not_found conversation_not_found');
    }
  });

  test('cannot exceed the limit of pending join requests', async () => {
    const { id, code, owner } = await createGroupWithRoles(chat);
    const waiting = Array.from({ length: limits.groupRequests - 1 }, () => ({
      conversation_id: id,
      user_id: randomUUID(),
      requested_at: chat.clock.now(),
    }));
    await chat.db('join_requests').insert(waiting);
    const [last, late] = [await chat.person(), await chat.person()];
    expect(await joinByRoomCode(chat, last, code)).toMatchObject({ state: 'waiting' });
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, late, code))).toBe('conflict too_many_requests');
    // A person who already waits may ask again.
    expect(await joinByRoomCode(chat, last, code)).toMatchObject({ state: 'waiting' });
    await decide(owner, id, last, false);
    expect(await joinByRoomCode(chat, late, code)).toMatchObject({ state: 'waiting' });
  });
});

describe('guessing codes', () => {
  const wrong = () => newRoomCode('group');
  const spend = (name: RateLimitName, key: string) =>
    chat.redis.set(`limit:${name}:${key}`, rateLimits[name].points, 'EX', 600);
  const overall = 'limit:roomCodeMissesOverall:all';
  beforeEach(() => chat.redis.del(overall));

  test('is rate-limited after too many misses; right codes then create a request, and members keep access', async () => {
    const eve = await chat.person();
    const attempt = () => chatErrorKindAndCode(lookUp(eve, wrong()));
    const { points } = rateLimits.roomCodeMissesPerUser;
    for (let tries = 0; tries < points; tries += 1) expect(await attempt()).toBe('not_found conversation_not_found');
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, eve, wrong()))).toBe('rate_limited rate_limited');
    const { id, code, owner } = await createGroupWithRoles(chat, { isPublic: true });
    const shown = async (roomCode: string) => {
      const { group } = await lookUp(eve, roomCode);
      expect(group).toMatchObject({ $case: 'preview', value: { name: '', guarded: true, roomCode } });
      return { ...group?.value, roomCode: '' };
    };
    expect(await shown(code)).toEqual(await shown(wrong()));
    const takeBack = (roomCode: string) =>
      chatErrorKindAndCode(chat.groups.withdrawJoinRequest({ actorId: eve, roomCode, address: '' }));
    for (const one of [code, wrong()]) expect(await takeBack(one)).toBe('none');
    expect(await joinByRoomCode(chat, eve, code)).toMatchObject({ state: 'waiting', guarded: true });
    expect(await requestsOf(owner, id)).toEqual([eve]);
    // A waiting person knows the group and still waits.
    expect((await lookUp(eve, code)).group).toMatchObject({ value: { name: 'Walkers', membership: 'waiting' } });
    expect(await joinByRoomCode(chat, eve, code)).toMatchObject({ state: 'waiting' });
    await decide(owner, id, eve, true);
    expect((await listMemberRoles(chat, owner, id))[eve]).toBe('member');
    for (let tries = 0; tries < points + 5; tries += 1) expect((await lookUp(owner, code)).group).toBeDefined();
  });

  test('requests made under this limit are limited per person, for right and wrong codes alike', async () => {
    const { code } = await createGroupWithRoles(chat, { isPublic: true });
    const [eve, ben] = [await chat.person(), await chat.person()];
    await spend('roomCodeMissesOverall', 'all');
    for (let tries = 0; tries < rateLimits.guardedRoomCodesPerUser.points; tries += 1) {
      expect(await chatErrorKindAndCode(joinByRoomCode(chat, eve, wrong()))).toBe('rate_limited rate_limited');
    }
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, eve, code))).toBe('rate_limited rate_limited');
    expect(await joinByRoomCode(chat, ben, code)).toMatchObject({ state: 'waiting', guarded: true });
  });

  test('does not count right codes', async () => {
    const { code } = await createGroupWithRoles(chat, { isPublic: true });
    const ben = await chat.person();
    const tries = rateLimits.roomCodeMissesPerUser.points + 5;
    for (let count = 0; count < tries; count += 1) await lookUp(ben, code);
    expect(await joinByRoomCode(chat, ben, code)).toMatchObject({ state: 'joined' });
  });

  test('makes everyone ask to join after too many misses overall, except with an invite link', async () => {
    const { id, code, owner } = await createGroupWithRoles(chat, { isPublic: true });
    const secret = await createGroupWithRoles(chat);
    const [ben, cleo, dora] = await Promise.all([chat.person(), chat.person(), chat.person()]);
    await spend('roomCodeMissesOverall', 'all');
    expect(await chatErrorKindAndCode(joinByRoomCode(chat, ben, wrong()))).toBe('rate_limited rate_limited');
    expect(await joinByRoomCode(chat, ben, code)).toMatchObject({ state: 'waiting', guarded: true });
    expect(await joinByRoomCode(chat, ben, secret.code)).toMatchObject({ state: 'waiting', guarded: false });
    expect(await joinByRoomCode(chat, cleo, code, await invite(owner, id))).toMatchObject({
      state: 'joined',
      guarded: false,
    });
    expect(await joinByRoomCode(chat, cleo, secret.code, await invite(secret.owner, secret.id))).toMatchObject({
      state: 'joined',
    });
    expect(await joinByRoomCode(chat, dora, code, randomUUID())).toMatchObject({ state: 'waiting', guarded: true });
    await chat.redis.del(overall);
    // A person who waited only for that joins with the next attempt.
    expect(await joinByRoomCode(chat, ben, code)).toMatchObject({ state: 'joined', entered: true });
    expect(await requestsOf(owner, id)).toEqual([dora]);
  });
});

describe('adding people', () => {
  test('members can add people to public groups only, each once', async () => {
    const { id, owner, admin, member } = await createGroupWithRoles(chat);
    const [ben, cleo] = await Promise.all([chat.person(), chat.person()]);
    const add = (actorId: string, userIds: string[]) =>
      chat.groups.addMembers({ actorId, conversationId: id, userIds });
    expect(await chatErrorKindAndCode(add(member, [ben]))).toBe('forbidden not_admin');
    await chat.groups.updateGroup({ actorId: owner, conversationId: id, isPublic: true });
    const { members, skipped } = await add(member, [ben, admin, ben]);
    expect(members).toMatchObject([{ userId: ben, role: 'member' }]);
    expect(skipped).toEqual([{ userId: admin, reason: 'already_member' }]);
    await chat.groups.updateGroup({ actorId: owner, conversationId: id, maxMembers: 4 });
    expect(await chatErrorKindAndCode(add(owner, [cleo]))).toBe('conflict group_full');
    expect((await listSystemMessages(chat, owner, id)).find(({ kind }) => kind === 'member_added')).toEqual({
      kind: 'member_added',
      userIds: [ben],
      by: member,
    });
  });
});
