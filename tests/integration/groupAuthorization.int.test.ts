import { randomUUID } from 'node:crypto';
import { exportOf, signUpByPhone, type TestReply } from '@nolo/testing';
import {
  groupRoles,
  createGroupRelationsCast,
  type GroupRole,
  type GroupRelationsCast,
} from '../support/authorization/groupCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/** Group scene with a message of the owner's, which nobody changes. */
interface Scene extends GroupRelationsCast {
  messageId: string;
}

const running = openSharedTestStack();
let scene: Scene;

beforeAll(async () => {
  const staged = await createGroupRelationsCast(running.urls[0]!);
  const ownerMessage = await staged.people.owner.api.post('/api/messages', {
    conversationId: staged.groupId,
    content: 'to be marked',
  });
  scene = { ...staged, messageId: requireSuccess(ownerMessage, 'A message').body.id as string };
});

// Tests send far more requests than a person does.
beforeEach(() => running.forgetLimits('roomCodeMissesPerUser'));

type Answers = Record<GroupRole, number>;
const all = (status: number): Answers =>
  Object.fromEntries(groupRoles.map((role) => [role, status])) as unknown as Answers;
const inside = (status: number): Answers => ({ ...all(404), owner: status, admin: status, member: status });
const adminsOnly = (status: number): Answers => ({ ...inside(status), member: 403 });
const ownerOnly = (status: number): Answers => ({ ...adminsOnly(403), owner: status });

interface Act {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: (scene: Scene) => string;
  body?: (scene: Scene) => unknown;
  answers: Answers;
}

const of = (rest: string) => (one: Scene) => `/api/group-chats/${one.groupId}${rest}`;
const ofConversation = (rest: string) => (one: Scene) => `/api/conversations/${one.groupId}${rest}`;
const ofMessage = (rest: string) => (one: Scene) => `/api/messages/${one.messageId}${rest}`;
const about = (rest: string, role: GroupRole) => (one: Scene) => of(`${rest}/${one.people[role].id}`)(one);

/**
 * Actions that leave the scene unchanged, or that can be repeated without harm. Further below are those that change it.
 */
const acts: Act[] = [
  { name: 'look by id', method: 'GET', path: of(''), answers: inside(200) },
  // The code is no secret: its holders see the join page, and banned users see that they are banned.
  { name: 'look by code', method: 'GET', path: ({ roomCode }) => `/api/group-chats/${roomCode}`, answers: all(200) },
  { name: 'members', method: 'GET', path: of('/members'), answers: inside(200) },
  { name: 'messages', method: 'GET', path: of('/messages'), answers: inside(200) },
  {
    name: 'messages as of any conversation',
    method: 'GET',
    path: ({ groupId }) => `/api/conversations/${groupId}/messages`,
    answers: inside(200),
  },
  {
    name: 'changes',
    method: 'GET',
    path: ({ groupId }) => `/api/conversations/${groupId}/changes?since=0`,
    answers: inside(200),
  },
  { name: 'send', method: 'POST', path: of('/messages'), body: () => ({ content: 'hello' }), answers: inside(201) },
  {
    name: 'send as to any conversation',
    method: 'POST',
    path: () => '/api/messages',
    body: ({ groupId }) => ({ conversationId: groupId, content: 'hello' }),
    answers: inside(201),
  },
  {
    name: 'move the cursor',
    method: 'PUT',
    path: ({ groupId }) => `/api/conversations/${groupId}/cursor`,
    body: () => ({ readSeq: 1 }),
    answers: inside(200),
  },
  { name: 'edit', method: 'PATCH', path: of(''), body: () => ({ description: 'ours' }), answers: adminsOnly(200) },
  { name: 'take the picture away', method: 'DELETE', path: of('/picture'), answers: adminsOnly(204) },
  { name: 'requests', method: 'GET', path: of('/requests'), answers: adminsOnly(200) },
  { name: 'bans', method: 'GET', path: of('/bans'), answers: adminsOnly(200) },
  { name: 'what is held', method: 'GET', path: of('/held'), answers: inside(200) },
  { name: 'invite', method: 'POST', path: of('/invite'), answers: adminsOnly(201) },
  { name: 'end the invite', method: 'DELETE', path: of('/invite'), answers: adminsOnly(204) },
  {
    name: 'add',
    method: 'POST',
    path: of('/members'),
    body: (one) => ({ userIds: [one.people.member.id] }),
    answers: adminsOnly(201),
  },
  {
    name: 'remove the owner',
    method: 'DELETE',
    path: about('/members', 'owner'),
    answers: { ...adminsOnly(403), owner: 404 },
  },
  {
    name: 'give a role',
    method: 'PUT',
    path: (one) => of(`/members/${one.people.member.id}/role`)(one),
    body: () => ({ role: 'member' }),
    answers: ownerOnly(200),
  },
  {
    name: 'hand over to nobody',
    method: 'POST',
    path: of('/owner'),
    body: () => ({ userId: randomUUID() }),
    answers: ownerOnly(404),
  },
  { name: 'ban again', method: 'PUT', path: about('/bans', 'banned'), answers: adminsOnly(204) },
  { name: 'ban the admin', method: 'PUT', path: about('/bans', 'stranger'), answers: adminsOnly(204) },
  { name: 'lift the ban', method: 'DELETE', path: about('/bans', 'stranger'), answers: adminsOnly(204) },
  {
    name: 'decide about nobody',
    method: 'POST',
    path: (one) => of(`/requests/${one.people.owner.id}`)(one),
    body: () => ({ approve: true }),
    answers: adminsOnly(404),
  },
  {
    name: 'decide about no message',
    method: 'POST',
    path: of(`/held/${randomUUID()}`),
    body: () => ({ approve: true }),
    answers: adminsOnly(404),
  },
  { name: 'withdraw no message', method: 'DELETE', path: of(`/held/${randomUUID()}`), answers: inside(404) },
  { name: 'call', method: 'POST', path: of('/call'), answers: inside(200) },
  { name: 'react', method: 'PUT', path: ofMessage('/reaction'), body: () => ({ emoji: '👍' }), answers: inside(200) },
  { name: 'take the reaction back', method: 'DELETE', path: ofMessage('/reaction'), answers: inside(200) },
  { name: 'pin', method: 'PUT', path: ofMessage('/pin'), answers: adminsOnly(200) },
  { name: 'what is pinned', method: 'GET', path: ofConversation('/pinned'), answers: inside(200) },
  { name: 'unpin', method: 'DELETE', path: ofMessage('/pin'), answers: adminsOnly(200) },
  { name: 'star', method: 'PUT', path: ofMessage('/star'), answers: inside(204) },
  { name: 'unstar', method: 'DELETE', path: ofMessage('/star'), answers: inside(204) },
  {
    name: 'edit a message of the owner’s',
    method: 'PATCH',
    path: ofMessage(''),
    body: () => ({ content: 'to be marked' }),
    answers: { ...inside(403), owner: 200 },
  },
  {
    name: 'forward into it',
    method: 'POST',
    path: () => '/api/messages',
    body: ({ groupId }) => ({ conversationId: groupId, content: 'from elsewhere', forwarded: true }),
    answers: inside(201),
  },
  {
    name: 'set the timer',
    method: 'PATCH',
    path: ofConversation(''),
    body: () => ({ disappearingSeconds: null }),
    answers: adminsOnly(200),
  },
  {
    name: 'change their own settings',
    method: 'PATCH',
    path: ofConversation('/settings'),
    body: () => ({ markedUnread: false }),
    answers: inside(200),
  },
];

const callAs = (role: GroupRole, { method, path, body }: Act): Promise<TestReply> =>
  scene.people[role].api.request(method, path(scene), body ? { body: body(scene) } : {});

test.each(acts)('answers each role correctly: $name', async (act) => {
  const seen: Record<string, number> = {};
  for (const role of groupRoles) seen[role] = (await callAs(role, act)).status;
  expect(seen).toEqual(act.answers);
});

test('an id reveals no more to outsiders than one that does not exist', async () => {
  for (const act of acts.filter(({ answers }) => answers.stranger === 404)) {
    const real = await callAs('stranger', act);
    const nowhere = { ...scene, groupId: randomUUID(), messageId: randomUUID() };
    const missing = await scene.people.stranger.api.request(
      act.method,
      act.path(nowhere),
      act.body ? { body: act.body(nowhere) } : {},
    );
    expect([act.name, real.status, real.body]).toEqual([act.name, missing.status, missing.body]);
  }
});

test('the pre-join page shows name and size, and nothing about members or messages', async () => {
  const { people, roomCode, groupId } = scene;
  const expected = {
    waiting: 'waiting',
    banned: 'banned',
    former: 'none',
    withCode: 'none',
    stranger: 'none',
  } as const;
  for (const [role, membership] of Object.entries(expected)) {
    const { body } = await people[role as GroupRole].api.get(`/api/group-chats/${roomCode}`);
    expect(Object.keys(body as object).toSorted()).toEqual([
      'guarded',
      'isPublic',
      'maxMembers',
      'memberCount',
      'membership',
      'name',
      'pictureUrl',
      'roomCode',
    ]);
    expect(body).toMatchObject({ membership });
    const text = JSON.stringify(body);
    for (const secret of [groupId, people.owner.id, people.member.id]) expect(text).not.toContain(secret);
  }
});

test('joining by code asks, is refused, or confirms membership, depending on the person', async () => {
  const { people, roomCode } = scene;
  const join = async (role: GroupRole) => (await people[role].api.post(`/api/group-chats/join/${roomCode}`)).status;
  const seen: Record<string, number> = {};
  for (const role of groupRoles) seen[role] = await join(role);
  expect(seen).toEqual({ ...all(202), owner: 200, admin: 200, member: 200, banned: 403 });
});

test('a person who is waiting withdraws their own request; for everyone else there is nothing to withdraw', async () => {
  const { people, roomCode } = scene;
  const withdraw = async (role: GroupRole) =>
    (await people[role].api.delete(`/api/group-chats/join/${roomCode}`)).status;
  const requests = async () =>
    (
      requireSuccess(await people.owner.api.get(of('/requests')(scene)), 'The requests').body as { userId: string }[]
    ).map(({ userId }) => userId);
  const before = await requests();
  expect(before).toContain(people.waiting.id);
  for (const role of ['owner', 'admin', 'member', 'banned'] as const) expect(await withdraw(role)).toBe(204);
  expect(await requests()).toEqual(before);
  expect(await withdraw('waiting')).toBe(204);
  expect(await requests()).toEqual(before.filter((userId) => userId !== people.waiting.id));
  requireSuccess(await people.waiting.api.post(`/api/group-chats/join/${roomCode}`), 'The request');
});

test.each(['owner', 'admin', 'member'] as const)('edits and erasures of the %s are limited', async (author) => {
  const { people, groupId } = scene;
  const sendMessage = async () =>
    requireSuccess(
      await people[author].api.post('/api/messages', { conversationId: groupId, content: 'said' }),
      'A message',
    ).body.id as string;
  const edited: Record<string, number> = {};
  const erased: Record<string, number> = {};
  for (const role of groupRoles) {
    const path = `/api/messages/${await sendMessage()}`;
    edited[role] = (await people[role].api.patch(path, { content: 'changed' })).status;
    erased[role] = (await people[role].api.delete(path)).status;
  }
  expect(edited).toEqual({ ...inside(403), [author]: 200 });
  expect(erased).toEqual({ ...inside(200), member: author === 'member' ? 200 : 403 });
});

test('read receipts are visible to group members, and stars only to the person who set them', async () => {
  const { people, groupId, messageId } = scene;
  const ownerMessage = { conversationId: groupId, content: 'read me' };
  const { seq } = requireSuccess(await people.owner.api.post('/api/messages', ownerMessage), 'A message').body as {
    seq: number;
  };
  requireSuccess(await people.member.api.put(ofConversation('/cursor')(scene), { readSeq: seq }), 'The cursor');
  for (const role of ['owner', 'admin', 'member'] as const) {
    const members = requireSuccess(await people[role].api.get(of('/members')(scene)), 'The members').body as {
      userId: string;
      readSeq: number;
    }[];
    expect(members.find(({ userId }) => userId === people.member.id)?.readSeq).toBe(seq);
  }
  requireSuccess(await people.member.api.put(ofMessage('/star')(scene)), 'The star');
  const starred: Record<string, number> = {};
  for (const role of groupRoles) {
    const stars = (await people[role].api.get('/api/starred')).body as { message: { id: string } }[];
    starred[role] = stars.filter(({ message }) => message.id === messageId).length;
  }
  expect(starred).toEqual({ ...all(0), member: 1 });
});

test('groups of others never appear in a stranger’s lists or export', async () => {
  const stranger = await signUpByPhone(running.urls[0]!);
  expect((await stranger.api.get('/api/group-chats')).body).toEqual([]);
  const { groups } = (await exportOf(scene.people.member)).data as unknown as { groups: { id: string }[] };
  expect(groups.map(({ id }) => id)).toEqual([scene.groupId]);
});
