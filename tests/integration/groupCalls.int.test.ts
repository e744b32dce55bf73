import { eventually, type Json, type TestSocket } from '@nolo/testing';
import {
  groupRoles,
  createGroupRelationsCast,
  type GroupRole,
  type GroupRelationsCast,
} from '../support/authorization/groupCast.ts';
import { enterMeetingBySocket } from '../support/authorization/meetingCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/** Tests a group call through all services. */

const running = openSharedTestStack();
let scene: GroupRelationsCast;

beforeAll(async () => {
  scene = await createGroupRelationsCast(running.urls[0]!);
});
afterEach(async () => {
  await Promise.all(groupRoles.map((role) => scene.people[role].disconnect()));
});
const path = (rest = '') => `/api/group-chats/${scene.groupId}${rest}`;

async function opened(role: GroupRole): Promise<TestSocket> {
  const socket = await scene.people[role].connectSocket();
  await socket.next('hello');
  return socket;
}

async function roomOf(role: GroupRole): Promise<string> {
  return requireSuccess(await scene.people[role].api.post(path('/call')), 'The room').body.roomCode as string;
}

async function calls(role: GroupRole): Promise<{ senderId: string; systemMessage: Json }[]> {
  const messages = requireSuccess(await scene.people[role].api.get(path('/messages')), 'The messages').body as {
    messageType: string;
    senderId: string;
    content: string;
  }[];
  return messages.flatMap(({ messageType, senderId, content }) => {
    const systemMessage = messageType === 'system' ? (JSON.parse(content) as Json) : undefined;
    return systemMessage?.kind === 'group_call' ? [{ senderId, systemMessage }] : [];
  });
}

const hasLeft = (participantId: string) => (data: Json) => data.participantId === participantId;

test('a person who is removed, is banned or leaves is put out of the group call and cannot rejoin', async () => {
  const { people } = scene;
  const roomCode = await roomOf('owner');
  const owner = await opened('owner');
  await enterMeetingBySocket(owner, roomCode);

  const putOut = async (role: GroupRole, how: () => Promise<unknown>) => {
    const socket = await opened(role);
    const { participant } = await enterMeetingBySocket(socket, roomCode);
    const id = participant.id as string;
    await how();
    expect((await socket.next('meeting_asked')).data).toMatchObject({ roomCode, participantId: id, what: 'removed' });
    expect((await owner.next('meeting_participant_left', hasLeft(id))).data).toMatchObject({ reason: 'removed' });
    const retry = await socket.request('join_meeting', { roomCode });
    expect([retry.type, retry.data['code']]).toEqual(['error', 'meeting_not_found']);
  };
  await putOut('member', async () =>
    requireSuccess(await people.owner.api.delete(path(`/members/${people.member.id}`)), 'The removal'),
  );
  requireSuccess(await people.owner.api.post(path('/members'), { userIds: [people.member.id] }), 'The member');
  await putOut('member', async () =>
    requireSuccess(await people.owner.api.put(path(`/bans/${people.member.id}`)), 'The ban'),
  );
  await putOut('admin', async () => requireSuccess(await people.admin.api.post(path('/leave')), 'The leaving'));

  // The last member to leave ends the group, and the call with it.
  requireSuccess(await people.owner.api.post(path('/leave')), 'The leaving');
  expect((await owner.next('meeting_asked')).data).toMatchObject({ what: 'removed' });
});

test('members are notified of a call, can join it while it lasts, and see how long it was', async () => {
  scene = await createGroupRelationsCast(running.urls[1]!, 'Another group');
  const { people } = scene;
  const member = await opened('member');
  const admin = await opened('admin');
  const roomCode = await roomOf('admin');
  expect(await calls('owner')).toEqual([]);
  const { participant } = await enterMeetingBySocket(admin, roomCode);
  const systemFrame = await member.next('new_message', ({ messageType }) => messageType === 'system');
  expect(systemFrame.data).toMatchObject({ conversationId: scene.groupId, senderId: people.admin.id });
  expect(JSON.parse(systemFrame.data['content'] as string)).toMatchObject({
    kind: 'group_call',
    durationSeconds: null,
  });
  expect(await roomOf('member')).toBe(roomCode);

  await admin.request('leave_meeting', { roomCode, participantId: participant.id as string });
  const over = await member.next('message_updated');
  expect(over.data).toMatchObject({ id: systemFrame.data['id'] });
  expect(JSON.parse(over.data['content'] as string)).toMatchObject({
    kind: 'group_call',
    durationSeconds: expect.any(Number),
  });
  await eventually(async () => (await calls('owner'))[0]?.systemMessage.durationSeconds !== null);
  expect(await calls('owner')).toHaveLength(1);
});
