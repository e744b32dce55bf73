import { randomUUID } from 'node:crypto';
import { signUpByPhone, type TestReply } from '@nolo/testing';
import { groupRoles, stageGroup, type GroupRole, type GroupScene } from '../support/groupCast.ts';
import { must } from '../support/must.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

let running: TestStack;
let scene: GroupScene;

beforeAll(async () => {
  running = await startTestStack();
  scene = await stageGroup(running.urls[0]!);
}, 120_000);

afterAll(async () => {
  await running?.stop();
});

// Everybody asks far more often here than a person does.
beforeEach(() => running.forgetLimits('roomCodeTriesPerUser'));

type Answers = Record<GroupRole, number>;
const all = (status: number): Answers =>
  Object.fromEntries(groupRoles.map((role) => [role, status])) as unknown as Answers;
const inside = (status: number): Answers => ({ ...all(404), owner: status, admin: status, member: status });
const deciding = (status: number): Answers => ({ ...inside(status), member: 403 });
const ownerOnly = (status: number): Answers => ({ ...deciding(403), owner: status });

interface Act {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: (scene: GroupScene) => string;
  body?: (scene: GroupScene) => unknown;
  answers: Answers;
}

const of = (rest: string) => (one: GroupScene) => `/api/group-chats/${one.groupId}${rest}`;
const about = (rest: string, role: GroupRole) => (one: GroupScene) => of(`${rest}/${one.people[role].id}`)(one);

/** What leaves the scene as it is, or is done again without harm; what changes it stands further below. */
const acts: Act[] = [
  { name: 'look by id', method: 'GET', path: of(''), answers: inside(200) },
  // The code is no secret: whoever has it sees the door, and whoever is banned sees that they are.
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
  { name: 'edit', method: 'PATCH', path: of(''), body: () => ({ description: 'ours' }), answers: deciding(200) },
  { name: 'take the picture away', method: 'DELETE', path: of('/picture'), answers: deciding(204) },
  { name: 'requests', method: 'GET', path: of('/requests'), answers: deciding(200) },
  { name: 'bans', method: 'GET', path: of('/bans'), answers: deciding(200) },
  { name: 'what is held', method: 'GET', path: of('/held'), answers: inside(200) },
  { name: 'invite', method: 'POST', path: of('/invite'), answers: deciding(201) },
  { name: 'end the invite', method: 'DELETE', path: of('/invite'), answers: deciding(204) },
  {
    name: 'add',
    method: 'POST',
    path: of('/members'),
    body: (one) => ({ userIds: [one.people.member.id] }),
    answers: deciding(201),
  },
  {
    name: 'remove the owner',
    method: 'DELETE',
    path: about('/members', 'owner'),
    answers: { ...deciding(403), owner: 404 },
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
  { name: 'ban again', method: 'PUT', path: about('/bans', 'banned'), answers: deciding(204) },
  { name: 'ban the admin', method: 'PUT', path: about('/bans', 'stranger'), answers: deciding(204) },
  { name: 'lift the ban', method: 'DELETE', path: about('/bans', 'stranger'), answers: deciding(204) },
  {
    name: 'decide about nobody',
    method: 'POST',
    path: (one) => of(`/requests/${one.people.owner.id}`)(one),
    body: () => ({ approve: true }),
    answers: deciding(404),
  },
  {
    name: 'decide about no message',
    method: 'POST',
    path: of(`/held/${randomUUID()}`),
    body: () => ({ approve: true }),
    answers: deciding(404),
  },
  { name: 'call', method: 'POST', path: of('/call'), answers: inside(200) },
];

const ask = (role: GroupRole, { method, path, body }: Act): Promise<TestReply> =>
  scene.people[role].api.request(method, path(scene), body ? { body: body(scene) } : {});

test.each(acts)('$name', async (act) => {
  const seen: Record<string, number> = {};
  for (const role of groupRoles) seen[role] = (await ask(role, act)).status;
  expect(seen).toEqual(act.answers);
});

test('an id tells those outside as little as one that does not exist', async () => {
  for (const act of acts.filter(({ answers }) => answers.stranger === 404)) {
    const real = await ask('stranger', act);
    const nowhere = { ...scene, groupId: randomUUID() };
    const missing = await scene.people.stranger.api.request(
      act.method,
      act.path(nowhere),
      act.body ? { body: act.body(nowhere) } : {},
    );
    expect([act.name, real.status, real.body]).toEqual([act.name, missing.status, missing.body]);
  }
});

test('the door shows its name and size, and nothing of who is behind it or what is said', async () => {
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

test('who joins by the code waits, is refused, or is told to be in it, as they stand to it', async () => {
  const { people, roomCode } = scene;
  const join = async (role: GroupRole) => (await people[role].api.post(`/api/group-chats/join/${roomCode}`)).status;
  const seen: Record<string, number> = {};
  for (const role of groupRoles) seen[role] = await join(role);
  expect(seen).toEqual({ ...all(202), owner: 200, admin: 200, member: 200, banned: 403 });
});

test("an admin erases anyone's message, a member only their own", async () => {
  const { people, groupId } = scene;
  const say = async (role: GroupRole) =>
    must(await people[role].api.post('/api/messages', { conversationId: groupId, content: 'said' }), 'A message').body
      .id as string;
  const erase = async (role: GroupRole, id: string) => (await people[role].api.delete(`/api/messages/${id}`)).status;
  const ofMember = await say('member');
  const ofOwner = await say('owner');
  expect(await erase('member', ofOwner)).toBe(403);
  expect(await erase('former', ofOwner)).toBe(404);
  expect(await erase('admin', ofMember)).toBe(200);
  expect(await erase('admin', ofOwner)).toBe(200);
});

test("nobody's groups are in a stranger's lists or export", async () => {
  const stranger = await signUpByPhone(running.urls[0]!);
  expect((await stranger.api.get('/api/group-chats')).body).toEqual([]);
  const exported = (await scene.people.member.api.get('/api/account/export')).body as { groups: { id: string }[] };
  expect(exported.groups.map(({ id }) => id)).toEqual([scene.groupId]);
});
