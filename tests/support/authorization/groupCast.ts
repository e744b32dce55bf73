import { randomUUID } from 'node:crypto';
import { openToGroups, signUpByPhone, type TestUser } from '@nolo/testing';
import type { AuthorizationCast } from './authorizationCast.ts';
import { requireSuccess } from '../clients/requireSuccess.ts';

/** Relations of a user to a group. */
export const groupRoles = ['owner', 'admin', 'member', 'waiting', 'banned', 'former', 'withCode', 'stranger'] as const;
export type GroupRole = (typeof groupRoles)[number];

export interface GroupRelationsCast {
  groupId: string;
  roomCode: string;
  people: Record<GroupRole, TestUser>;
}

/** Creates a private group with one user for each relation to it. */
export async function createGroupRelationsCast(baseUrl: string, name = 'The group'): Promise<GroupRelationsCast> {
  const found = await Promise.all(groupRoles.map(() => signUpByPhone(baseUrl)));
  const people = Object.fromEntries(
    groupRoles.map((role, index) => [role, found[index]]),
  ) as GroupRelationsCast['people'];
  const { owner, admin, member, banned, former, waiting } = people;
  await openToGroups(admin, member, banned, former);
  const created = requireSuccess(
    await owner.api.post('/api/groups', { name, memberIds: [admin.id, member.id, banned.id, former.id] }),
    'The group',
  ).body as { id: string; roomCode: string };
  const path = `/api/group-chats/${created.id}`;
  requireSuccess(await owner.api.put(`${path}/members/${admin.id}/role`, { role: 'admin' }), 'The admin');
  requireSuccess(await owner.api.put(`${path}/bans/${banned.id}`), 'The ban');
  requireSuccess(await former.api.post(`${path}/leave`), 'The leaving');
  requireSuccess(await waiting.api.post(`/api/group-chats/join/${created.roomCode}`), 'The request');
  return { groupId: created.id, roomCode: created.roomCode, people };
}

/** Creates a new user who waits to join the owner's group. */
export async function createJoinRequester({ baseUrl, owner, groupId }: AuthorizationCast): Promise<string> {
  const newcomer = await signUpByPhone(baseUrl);
  const { roomCode } = requireSuccess(await owner.api.post(`/api/group-chats/${groupId}/code`), 'The code').body as {
    roomCode: string;
  };
  requireSuccess(await newcomer.api.post(`/api/group-chats/join/${roomCode}`), 'The request');
  return newcomer.id;
}

/** Creates a message of the member's that is pending approval in the owner's group. */
export async function createUnapprovedMessage({ owner, member, groupId }: AuthorizationCast): Promise<string> {
  const path = `/api/group-chats/${groupId}`;
  requireSuccess(await owner.api.patch(path, { settings: { moderationEnabled: true } }), 'The moderation');
  const body = { content: 'see https://example.org', hasLink: true, clientMessageId: randomUUID() };
  const reply = requireSuccess(await member.api.post(`${path}/messages`, body), 'The message').body as { id: string };
  requireSuccess(await owner.api.patch(path, { settings: { moderationEnabled: false } }), 'The moderation');
  return reply.id;
}
