import type { Conversation } from '@nolo/proto/conversation';
import type { CreateGroupRequest } from '@nolo/proto/groups';
import { readSystemMessage, type SystemMessage } from '@nolo/rules';
import { aCreateGroupRequest } from '@nolo/testing/protos';
import type { TestChat } from './startChat.ts';

export interface GroupWithRoles {
  id: string;
  code: string;
  owner: string;
  admin: string;
  member: string;
}

export async function createTestGroup(
  chat: TestChat,
  actorId: string,
  more: Partial<CreateGroupRequest> = {},
): Promise<Conversation> {
  const { conversation } = await chat.groups.createGroup(aCreateGroupRequest({ actorId, ...more }));
  if (!conversation) throw new Error('No group was created.');
  return conversation;
}

/** Creates a group with one member of each role. */
export async function createGroupWithRoles(
  chat: TestChat,
  more: Partial<CreateGroupRequest> = {},
): Promise<GroupWithRoles> {
  const [owner, admin, member] = await Promise.all([chat.person(), chat.person(), chat.person()]);
  const { id, meta } = await createTestGroup(chat, owner, { memberIds: [admin, member], ...more });
  await chat.groups.setRole({ actorId: owner, conversationId: id, userId: admin, role: 'admin' });
  return { id, code: meta?.group?.roomCode ?? '', owner, admin, member };
}

export function joinByRoomCode(chat: TestChat, actorId: string, roomCode: string, inviteToken = '') {
  return chat.groups.joinGroup({ actorId, roomCode, inviteToken, address: '' });
}

/** Returns all members of the group with their roles. */
export async function listMemberRoles(chat: TestChat, actorId: string, conversationId: string) {
  const { members } = await chat.groups.listMembers({ actorId, conversationId });
  return Object.fromEntries(members.map(({ userId, role }) => [userId, role]));
}

/** Returns the system messages of the conversation, as read by one of its members. */
export async function listSystemMessages(
  chat: TestChat,
  actorId: string,
  conversationId: string,
): Promise<(SystemMessage & { by: string })[]> {
  const { messages } = await chat.client.listMessages({ actorId, conversationId, limit: 100 });
  return messages.flatMap(({ messageType, content, senderId }) => {
    const systemMessage = messageType === 'system' ? readSystemMessage(content) : null;
    return systemMessage ? [{ ...systemMessage, by: senderId }] : [];
  });
}
