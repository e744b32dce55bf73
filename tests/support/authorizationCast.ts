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
import { must } from './must.ts';

export { must };

/** Picture of one pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Roles in which requests are made, from the view of the data's owner. */
export const roles = [
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
export type Role = (typeof roles)[number];

/** Roles without access to the owner's private data, neither to the conversation with the member nor to the meeting. */
export const outsiders = roles.filter((role) => role !== 'coHost' && role !== 'member' && role !== 'owner');

/** Roles that take part in one of them. */
export const insiders = roles.filter((role) => role === 'coHost' || role === 'member' || role === 'owner');

/** Texts that are searched for in every answer. */
export type Canary = 'name' | 'status' | 'phone' | 'message' | 'contact' | 'device' | 'picture' | 'meeting' | 'group';

export interface Cast {
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
  canaries: Record<Canary, string>;
  /**
   * Paths of the owner's uploads: one with its bytes, one without. The number of open uploads per account is limited.
   */
  uploads: { full: string; empty: string; group: string };
  /** Private group of the owner, with the member in it. */
  groupId: string;
  /** Codes of meetings that the owner hosts: one for accounts, and one that guests may ask to join. */
  roomCode: string;
  guestRoomCode: string;
  apiOf(role: Role): TestApi;
}

export async function converse(one: TestUser, other: TestUser): Promise<string> {
  return (await accepted(one, other)).id as string;
}

export async function say(user: TestUser, conversationId: string, content: string): Promise<Json> {
  return must(await user.api.post('/api/messages', { conversationId, content }), 'A message').body;
}

/** Uploads a picture that has no owner yet. Returns its path. */
export async function upload(user: TestUser, purpose = 'profile_image'): Promise<string> {
  const reserved = must(await user.api.post('/api/objects/upload', { purpose }), 'An upload');
  const { uploadURL } = reserved.body as { uploadURL: string };
  const { pathname, search } = new URL(uploadURL);
  must(
    await new TestApi(user.api.baseUrl).put(pathname + search, tinyPng, {
      headers: { 'content-type': 'application/octet-stream' },
    }),
    'The bytes',
  );
  return pathname;
}

/** Creates everyone in the matrix, with the owner's data full of canaries. */
export async function gatherCast(baseUrl: string): Promise<Cast> {
  const mark = randomUUID().slice(0, 8);
  const canaries: Cast['canaries'] = {
    name: `Canaryname${mark}`,
    status: `canary status ${mark}`,
    phone: '',
    message: `canary message ${mark}`,
    contact: `canary contact ${mark}`,
    device: `canary-device-${mark}`,
    picture: '',
    meeting: `canary meeting ${mark}`,
    group: `canary group ${mark}`,
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

  must(await owner.api.put('/api/profile', { statusMessage: canaries.status }), 'The status');
  must(await owner.api.put('/api/profile/privacy', { presenceVisibility: 'contacts' }), 'The privacy');
  must(await owner.api.post('/api/contacts', { userId: member.id, displayName: canaries.contact }), 'The contact');
  // Contacts of each other: status updates are only for them.
  must(await member.api.post('/api/contacts', { userId: owner.id }), 'The contact');
  const { objectPath } = must(
    await owner.api.put('/api/profile/image', { profileImageURL: await upload(owner) }),
    'The picture',
  ).body as { objectPath: string };
  canaries.picture = objectPath;
  const anonymous = new TestApi(baseUrl);
  must(await anonymous.post('/api/verification/send', { type: 'sms', phoneNumber: owner.phone }), 'The code');
  const { demoCode } = (await anonymous.get('/api/config')).body as { demoCode: string };
  must(
    await anonymous.post(
      '/api/verification/verify',
      { type: 'sms', phoneNumber: owner.phone, code: demoCode },
      { headers: { 'user-agent': canaries.device } },
    ),
    "The owner's second device",
  );
  // A third session, which the owner may sign out.
  await signInByPhone(baseUrl, owner.phone);

  const reserved = must(await owner.api.post('/api/objects/upload'), 'An upload').body as { uploadURL: string };
  const uploads = {
    full: await upload(owner),
    empty: new URL(reserved.uploadURL).pathname,
    group: await upload(owner, 'group_picture'),
  };

  const conversationId = await converse(owner, member);
  const { id: messageId } = await say(owner, conversationId, canaries.message);
  await say(member, conversationId, 'an answer');
  const neighbourConversationId = await converse(owner, neighbour);
  await say(neighbour, neighbourConversationId, 'from next door');
  const blockedConversationId = await converse(owner, blocked);
  const { id: blockedMessageId } = await say(blocked, blockedConversationId, 'before the block');
  must(await owner.api.put(`/api/blocks/${blocked.id}`), 'The block');
  // A durable event brings the block to chat.
  await eventually(async () => {
    const reply = await blocked.api.post('/api/messages', { conversationId: blockedConversationId, content: 'still?' });
    return reply.status === 403;
  });

  for (const person of [former, leaver]) await say(person, await converse(owner, person), 'from before');
  await signInByPhone(baseUrl, former.phone).then(async (again) => {
    const sessions = (await former.api.get('/api/sessions')).body as { id: string; current: boolean }[];
    const first = sessions.find((session) => session.current);
    must(await again.api.delete(`/api/sessions/${first?.id ?? ''}`), 'The revocation');
  });
  must(await leaver.api.delete('/api/account'), 'The deletion');

  const { id: groupId } = must(
    await owner.api.post('/api/groups', { name: canaries.group, memberIds: [member.id] }),
    'The group',
  ).body as { id: string };
  await say(owner, groupId, canaries.message);

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
export async function ownersView({ owner, conversationId }: Cast): Promise<Json> {
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
      const text = JSON.stringify(must(replies[index]!, path).body);
      // The last use of a session changes with this query.
      return [path, JSON.parse(text.replaceAll(/"lastUsedAt":"[^"]*"/g, '"lastUsedAt":""'))];
    }),
  );
}
