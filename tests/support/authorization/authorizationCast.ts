import { randomUUID } from 'node:crypto';
import {
  converse as accepted,
  eventually,
  signInByPhone,
  signUpByPhone,
  TestApi,
  type Json,
  type TestUser,
} from '@nolo/testing';
import { hostMeeting } from './meetingCast.ts';
import { requireSuccess } from '../clients/requireSuccess.ts';

export { requireSuccess as must };

/** Picture of one pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Roles in which requests are made, from the view of the data's owner. */
const castRoles = [
  'anonymous',
  'revoked',
  'deleted',
  'stranger',
  'neighbour',
  'blocked',
  'removed',
  'coHost',
  'member',
  'owner',
] as const;
export type CastRole = (typeof castRoles)[number];

/** Roles without access to the owner's private data, neither to the conversation with the member nor to the meeting. */
export const outsiderRoles = castRoles.filter((role) => role !== 'coHost' && role !== 'member' && role !== 'owner');

/** Roles that take part in one of them. */
export const insiderRoles = castRoles.filter((role) => role === 'coHost' || role === 'member' || role === 'owner');

/** Texts that are searched for in every answer. */
export type CanaryKind =
  'name' | 'status' | 'phone' | 'message' | 'contact' | 'device' | 'picture' | 'meeting' | 'group';

export interface AuthorizationCast {
  baseUrl: string;
  owner: TestUser;
  /** Shares the conversation with the owner, and was in the meeting. */
  member: TestUser;
  /** Co-host of the owner's meeting, with no other relation to the two. */
  coHost: TestUser;
  stranger: TestUser;
  /** Shares another conversation with the owner. */
  neighbour: TestUser;
  /** Shared a conversation with the owner, and was blocked. */
  blocked: TestUser;
  /** Was in the meeting, wrote something there, and was removed by its host. */
  removed: TestUser;
  /** Arbitrary user, for requests that need a second person. */
  bystander: TestUser;
  /**
   * Token of an ended session, and one of a deleted account; both users were members of a conversation with the owner.
   */
  revoked: TestApi;
  deleted: TestApi;
  /** Webhooks of the owner; empty if webhooks are off. */
  webhookIds: readonly string[];
  /** Conversation of owner and member, and those of the others with the owner. */
  conversationId: string;
  neighbourConversationId: string;
  blockedConversationId: string;
  blockedMessageId: string;
  /** Message of the owner in that conversation. */
  messageId: string;
  canaries: Record<CanaryKind, string>;
  /**
   * Paths of the owner's uploads: one with its bytes, one without. The number of open uploads per account is limited.
   */
  uploads: { full: string; empty: string; group: string };
  /** Private group of the owner, with the member in it. */
  groupId: string;
  /** Codes of meetings that the owner hosts: one for accounts, and one that guests may ask to join. */
  roomCode: string;
  guestRoomCode: string;
  apiOf(role: CastRole): TestApi;
}

export async function openAcceptedConversation(one: TestUser, other: TestUser): Promise<string> {
  return (await accepted(one, other)).id as string;
}

export async function sendMessage(user: TestUser, conversationId: string, content: string): Promise<Json> {
  return requireSuccess(await user.api.post('/api/messages', { conversationId, content }), 'A message').body;
}

/** Uploads a picture that has no owner yet. Returns its path. */
export async function uploadPicture(user: TestUser, purpose = 'profile_image'): Promise<string> {
  const reserved = requireSuccess(await user.api.post('/api/objects/upload', { purpose }), 'An upload');
  const { uploadURL } = reserved.body as { uploadURL: string };
  const { pathname, search } = new URL(uploadURL);
  requireSuccess(
    await new TestApi(user.api.baseUrl).put(pathname + search, tinyPng, {
      headers: { 'content-type': 'application/octet-stream' },
    }),
    'The bytes',
  );
  return pathname;
}

/** Creates everyone in the matrix, with the owner's data full of canaries. */
export async function createAuthorizationCast(baseUrl: string): Promise<AuthorizationCast> {
  const suffix = randomUUID().slice(0, 8);
  const canaries: AuthorizationCast['canaries'] = {
    name: `Canaryname${suffix}`,
    status: `canary status ${suffix}`,
    phone: '',
    message: `canary message ${suffix}`,
    contact: `canary contact ${suffix}`,
    device: `canary-device-${suffix}`,
    picture: '',
    meeting: `canary meeting ${suffix}`,
    group: `canary group ${suffix}`,
  };
  const [owner, member, coHost, stranger, neighbour, blocked, removed, bystander, former, leaver] = (await Promise.all([
    signUpByPhone(baseUrl, undefined, `Olive ${canaries.name}`),
    ...Array.from({ length: 9 }, () => signUpByPhone(baseUrl)),
  ] as Promise<TestUser>[])) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
  canaries.phone = owner.phone.slice(1);

  requireSuccess(await owner.api.put('/api/profile', { statusMessage: canaries.status }), 'The status');
  requireSuccess(await owner.api.put('/api/profile/privacy', { presenceVisibility: 'contacts' }), 'The privacy');
  requireSuccess(
    await owner.api.post('/api/contacts', { userId: member.id, displayName: canaries.contact }),
    'The contact',
  );
  // Contacts of each other: status updates are only for them.
  requireSuccess(await member.api.post('/api/contacts', { userId: owner.id }), 'The contact');
  const { objectPath } = requireSuccess(
    await owner.api.put('/api/profile/image', { profileImageURL: await uploadPicture(owner) }),
    'The picture',
  ).body as { objectPath: string };
  canaries.picture = objectPath;
  const anonymous = new TestApi(baseUrl);
  requireSuccess(await anonymous.post('/api/verification/send', { type: 'sms', phoneNumber: owner.phone }), 'The code');
  const { demoCode } = (await anonymous.get('/api/config')).body as { demoCode: string };
  requireSuccess(
    await anonymous.post(
      '/api/verification/verify',
      { type: 'sms', phoneNumber: owner.phone, code: demoCode },
      { headers: { 'user-agent': canaries.device } },
    ),
    "The owner's second device",
  );
  // A third session, which the owner may sign out.
  await signInByPhone(baseUrl, owner.phone);

  const reserved = requireSuccess(await owner.api.post('/api/objects/upload'), 'An upload').body as {
    uploadURL: string;
  };
  const uploads = {
    full: await uploadPicture(owner),
    empty: new URL(reserved.uploadURL).pathname,
    group: await uploadPicture(owner, 'group_picture'),
  };

  const conversationId = await openAcceptedConversation(owner, member);
  const { id: messageId } = await sendMessage(owner, conversationId, canaries.message);
  await sendMessage(member, conversationId, 'an answer');
  const neighbourConversationId = await openAcceptedConversation(owner, neighbour);
  await sendMessage(neighbour, neighbourConversationId, 'from next door');
  const blockedConversationId = await openAcceptedConversation(owner, blocked);
  const { id: blockedMessageId } = await sendMessage(blocked, blockedConversationId, 'before the block');
  requireSuccess(await owner.api.put(`/api/blocks/${blocked.id}`), 'The block');
  // A durable event brings the block to chat.
  await eventually(async () => {
    const reply = await blocked.api.post('/api/messages', { conversationId: blockedConversationId, content: 'still?' });
    return reply.status === 403;
  });

  for (const person of [former, leaver])
    await sendMessage(person, await openAcceptedConversation(owner, person), 'from before');
  await signInByPhone(baseUrl, former.phone).then(async (newSession) => {
    const sessions = (await former.api.get('/api/sessions')).body as { id: string; current: boolean }[];
    const first = sessions.find((session) => session.current);
    requireSuccess(await newSession.api.delete(`/api/sessions/${first?.id ?? ''}`), 'The revocation');
  });
  requireSuccess(await leaver.api.delete('/api/account'), 'The deletion');

  const { id: groupId } = requireSuccess(
    await owner.api.post('/api/groups', { name: canaries.group, memberIds: [member.id] }),
    'The group',
  ).body as { id: string };
  await sendMessage(owner, groupId, canaries.message);

  // Created while the owner still has a fresh proof.
  const hook = { url: 'http://127.0.0.1:9/nolo', events: ['meeting.started'] };
  const hooks = await Promise.all([1, 2].map(() => owner.api.post('/api/webhooks', hook)));
  const webhookIds = hooks.flatMap(({ status, body }) =>
    status === 201 ? [(body as { webhook: { id: string } }).webhook.id] : [],
  );

  const roomCode = await hostMeeting({ owner, coHost, member, removed }, { name: canaries.meeting });
  const guestRoomCode = await hostMeeting(
    { owner, coHost, member },
    { settings: { requireAuth: false, allowRecording: true } },
  );

  const people = { stranger, neighbour, blocked, removed, coHost, member, owner };
  const apis = { anonymous, revoked: former.api, deleted: leaver.api };
  return {
    baseUrl,
    ...people,
    bystander,
    webhookIds,
    revoked: former.api,
    deleted: leaver.api,
    conversationId,
    neighbourConversationId,
    blockedConversationId,
    blockedMessageId,
    messageId: messageId as string,
    canaries,
    uploads,
    groupId,
    roomCode,
    guestRoomCode,
    apiOf: (role) => (role in apis ? apis[role as keyof typeof apis] : people[role as keyof typeof people].api),
  };
}

/** Returns everything that the owner can see of their own data, which no other user's request may change. */
export async function readOwnersView({ owner, conversationId }: AuthorizationCast): Promise<Json> {
  const paths = [
    '/api/auth/user',
    '/api/sessions',
    '/api/contacts',
    '/api/blocks',
    '/api/conversations',
    '/api/group-chats',
    '/api/meetings',
    '/api/calls',
    `/api/conversations/${conversationId}/messages`,
    `/api/conversations/${conversationId}/changes?since=0`,
  ];
  const replies = await Promise.all(paths.map((path) => owner.api.get(path)));
  return Object.fromEntries(
    paths.map((path, index) => {
      const text = JSON.stringify(requireSuccess(replies[index]!, path).body);
      // The last use of a session changes with this query.
      return [path, JSON.parse(text.replaceAll(/"lastUsedAt":"[^"]*"/g, '"lastUsedAt":""'))];
    }),
  );
}
