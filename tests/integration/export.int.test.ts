import { converse, exportOf, signUpByPhone, type Json, type TestUser } from '@nolo/testing';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let ann: TestUser;
let ben: TestUser;

beforeAll(async () => {
  [ann, ben] = (await Promise.all([0, 1].map(() => signUpByPhone(running.urls[0]!)))) as [TestUser, TestUser];
});
const exported = async (user: TestUser) => (await exportOf(user)).data as Json;

test('the export has a person’s stars and conversation settings, and nobody else’s has them', async () => {
  const directId = (await converse(ann, ben)).id as string;
  const group = requireSuccess(
    await ann.api.post('/api/groups', { name: 'Walkers', memberIds: [ben.id] }),
    'The group',
  );
  const groupId = group.body.id as string;
  const sendMessage = async (conversationId: string) =>
    requireSuccess(await ben.api.post('/api/messages', { conversationId, content: 'said' }), 'A message').body
      .id as string;
  const messageId = await sendMessage(directId);
  const taken = await sendMessage(groupId);
  requireSuccess(await ann.api.put(`/api/messages/${messageId}/star`), 'The star');
  requireSuccess(await ann.api.put(`/api/messages/${taken}/star`), 'The star');
  requireSuccess(await ann.api.delete(`/api/messages/${taken}/star`), 'The star');
  const mutedUntil = new Date(Date.now() + 3_600_000).toISOString();
  const set = (id: string, body: object) => ann.api.patch(`/api/conversations/${id}/settings`, body);
  requireSuccess(await set(directId, { archived: true, mutedUntil }), 'The settings');
  requireSuccess(await set(groupId, { pinned: true, markedUnread: true }), 'The settings');
  const timer = { disappearingSeconds: 3_600 };
  requireSuccess(await ann.api.patch(`/api/conversations/${groupId}`, timer), 'The timer');

  const { conversations, starred } = await exported(ann);
  expect(starred).toEqual([{ conversationId: directId, messageId, starredAt: expect.any(String) }]);
  const none = {
    archivedAt: null,
    pinnedAt: null,
    mutedUntil: null,
    mutedExceptMentions: false,
    markedUnread: false,
    clearedSeq: 0,
    hiddenAt: null,
    requestedAt: null,
  };
  expect(conversations).toHaveLength(2);
  expect(conversations).toEqual(
    expect.arrayContaining([
      {
        ...none,
        id: directId,
        type: 'direct',
        archivedAt: expect.any(String),
        mutedUntil,
        disappearingSeconds: null,
      },
      { ...none, ...timer, id: groupId, type: 'group', pinnedAt: expect.any(String), markedUnread: true },
    ]),
  );
  // The timer applies to both; personal settings do not.
  const others = await exported(ben);
  expect(others.starred).toEqual([]);
  expect(others.conversations).toEqual(
    expect.arrayContaining([
      { ...none, id: directId, type: 'direct', disappearingSeconds: null },
      { ...none, ...timer, id: groupId, type: 'group' },
    ]),
  );
});
