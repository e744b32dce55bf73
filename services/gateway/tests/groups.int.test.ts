import { randomUUID } from 'node:crypto';
import { createAppError } from '@nolo/kit/errors';
import type { TestUser } from '@nolo/testing';
import { aGroup, aMember } from '@nolo/testing/protos';
import { startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let ann: TestUser;
let ben: TestUser;
beforeAll(async () => {
  gateway = await startGateway();
  [ann, ben] = await Promise.all([gateway.signUp(), gateway.signUp()]);
});
afterAll(() => gateway.stop());

beforeEach(() => {
  const { answers, asked: requests } = gateway.groups;
  requests.length = 0;
  Object.assign(answers, {
    error: undefined,
    group: aGroup([ann.id, ben.id]),
    inside: true,
    members: [],
    skipped: [],
    invitedIds: [],
    nextCursor: undefined,
    formerPath: '',
  });
});

const last = (name: string) => gateway.groups.asked.findLast((one) => one.name === name)?.request;

describe('creating a group', () => {
  test('answers the same on both routes, with members as the viewer knows them', async () => {
    const picker = await ann.api.post('/api/groups', { name: 'Walkers', memberIds: [ben.id, randomUUID()] });
    expect(picker.status).toBe(201);
    expect(picker.body).toMatchObject({ membership: 'member', name: 'Walkers', roomCode: '222223', memberCount: 2 });
    expect((picker.body as { members: { id: string }[] }).members.map(({ id }) => id)).toEqual([ann.id, ben.id]);
    // An account that does not exist is queried nowhere else and reported as skipped.
    expect(last('createGroup')).toMatchObject({ memberIds: [ben.id], isPublic: false });
    expect((picker.body as { skipped: unknown[] }).skipped).toHaveLength(1);
    // The members' preferences go to chat and nowhere else.
    const choices = { people: [{ userId: ben.id, groupsFrom: 'contacts', isContact: false }] };
    expect(last('createGroup')).toMatchObject({ choices });
    expect(JSON.stringify(picker.body)).not.toContain('groupsFrom');
    const room = await ann.api.post('/api/group-chats/create', {
      name: 'Walkers',
      description: 'We walk.',
      isPublic: true,
      maxMembers: 12,
      settings: { allowFileSharing: false, moderationEnabled: false, requireApproval: false },
    });
    expect(room.status).toBe(201);
    expect(room.body).toMatchObject({ id: gateway.groups.answers.group.id, roomCode: '222223' });
    expect(last('createGroup')).toMatchObject({
      isPublic: true,
      maxMembers: 12,
      settings: { allowFileSharing: false, allowScreenShare: true },
    });
  });
});

describe('joining a group', () => {
  test('a room is private unless requested public, by either field', async () => {
    const bodies = [{}, { isPublic: false }, { isPublic: true }, { settings: { requireApproval: false } }];
    const seen: unknown[] = [];
    for (const body of bodies) {
      await ann.api.post('/api/group-chats/create', { name: 'Walkers', ...body });
      seen.push((last('createGroup') as { isPublic: boolean }).isPublic);
    }
    expect(seen).toEqual([false, false, true, true]);
    const contrary = { name: 'Walkers', isPublic: true, settings: { requireApproval: true } };
    expect((await ann.api.post('/api/group-chats/create', contrary)).body.code).toBe('invalid_input');
  });

  test('puts an invite token where no server sees it', async () => {
    const { status, body } = await ann.api.post(`/api/group-chats/${gateway.groups.answers.group.id}/invite`);
    expect(status).toBe(201);
    const url = new URL((body as { inviteUrl: string }).inviteUrl);
    expect([url.pathname, url.hash, url.search]).toEqual(['/group-chat/222223', '#invite=invite-token', '']);
  });
});

describe('members of a group', () => {
  test('are listed page by page, each with the person', async () => {
    const gone = randomUUID();
    gateway.groups.answers.members = [aMember({ userId: ann.id, role: 'owner' }), aMember({ userId: gone })];
    gateway.groups.answers.nextCursor = 'more';
    const { status, body, headers } = await ann.api.get(`/api/group-chats/${randomUUID()}/members?limit=2`);
    expect(status).toBe(200);
    expect(headers.get('nolo-next-cursor')).toBe('more');
    expect(body).toMatchObject([
      { userId: ann.id, role: 'owner', user: { id: ann.id } },
      { userId: gone, user: null },
    ]);
  });
});

describe('the picture of a group', () => {
  const upload = async () => {
    const { uploadURL } = (await ann.api.post('/api/objects/upload', { purpose: 'group_picture' })).body as {
      uploadURL: string;
    };
    return new URL(uploadURL).pathname;
  };

  test('replaces the previous one, which is deleted', async () => {
    const { objects } = gateway.files;
    const former = randomUUID();
    objects.set(former, Buffer.from('old'));
    gateway.groups.answers.formerPath = `/objects/${former}`;
    const { body } = await ann.api.put(`/api/group-chats/${randomUUID()}/picture`, { pictureURL: await upload() });
    const { objectPath } = body as { objectPath: string };
    expect(last('setGroupPicture')).toMatchObject({ picturePath: objectPath });
    expect(objects.has(former)).toBe(false);
    // Pictures without a name are served with their own type.
    objects.set(objectPath.slice('/objects/'.length), Buffer.from('new'));
    expect((await ann.api.get(objectPath)).headers.get('content-type')).toBe('image/webp');
  });

  test('is not processed for someone who is not allowed to set it', async () => {
    const before = gateway.files.objects.size;
    gateway.groups.answers.error = createAppError('forbidden', 'not_admin', 'Only the owner and admins may do this.');
    const { status } = await ben.api.put(`/api/group-chats/${randomUUID()}/picture`, { pictureURL: await upload() });
    expect(status).toBe(403);
    expect(gateway.files.objects.size).toBe(before);
    expect(gateway.groups.asked.map(({ name }) => name)).toEqual(['checkAdmin']);
  });
});

test('messages can be sent over the socket by the room code, for members only', async () => {
  const group = aGroup([ann.id, ben.id]);
  gateway.chat.conversations.set(group.id, group);
  gateway.groups.answers.group = group;
  const socket = await ben.connectSocket();
  await socket.next('hello');
  const named = { roomCode: '222223' };
  expect((await socket.request('join_group_chat', named)).data).toEqual({ conversationId: group.id });
  const sent = await socket.request('group_chat_message', { ...named, content: 'by the code' });
  expect(sent.data).toMatchObject({ conversationId: group.id, content: 'by the code', messageType: 'text' });
  gateway.groups.answers.inside = false;
  const refused = await socket.request('group_chat_message', { ...named, content: 'from outside' });
  expect(refused).toMatchObject({ type: 'error', data: { code: 'conversation_not_found' } });
  await socket.close();
});
