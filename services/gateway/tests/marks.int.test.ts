import { randomUUID } from 'node:crypto';
import { nextCursorHeader } from '@nolo/api';
import { fail } from '@nolo/kit/errors';
import type { TestUser } from '@nolo/testing';
import { aMessage } from '@nolo/testing/protos';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let other: TestUser;
let conversationId: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  user = await gateway.signUp();
  other = await gateway.signUp();
  conversationId = (await user.api.post('/api/conversations', { otherUserId: other.id })).body.id;
}, 30_000);
beforeEach(() => {
  gateway.marks.asked.length = 0;
  gateway.marks.answers.error = undefined;
  gateway.marks.answers.message = aMessage({ conversationId, senderId: other.id });
});
afterAll(() => gateway.stop());

const lastAsked = () => gateway.marks.asked.at(-1);

it('sets, replaces and takes back reactions', async () => {
  const { message } = gateway.marks.answers;
  message.reactions = [{ userId: user.id, emoji: '👍' }];
  const reply = await user.api.put(`/api/messages/${message.id}/reaction`, { emoji: '👍' });
  expect(reply).toMatchObject({ status: 200, body: { id: message.id, reactions: message.reactions, sender: null } });
  expect(lastAsked()).toEqual({
    name: 'setReaction',
    request: { actorId: user.id, messageId: message.id, emoji: '👍' },
  });
  expect((await user.api.delete(`/api/messages/${message.id}/reaction`)).status).toBe(200);
  expect(lastAsked()?.request).toMatchObject({ emoji: undefined });
  expect((await user.api.put(`/api/messages/${message.id}/reaction`, { emoji: '' })).status).toBe(400);
  gateway.marks.answers.error = fail('conflict', 'too_many_reactions', 'Full.');
  expect(await user.api.put(`/api/messages/${message.id}/reaction`, { emoji: '👍' })).toMatchObject({
    status: 409,
    body: { code: 'too_many_reactions' },
  });
});

it('pins, unpins and lists what is pinned', async () => {
  const { message } = gateway.marks.answers;
  message.pinnedAt = new Date();
  expect((await user.api.put(`/api/messages/${message.id}/pin`)).body.pinnedAt).toBe(message.pinnedAt.toISOString());
  expect(lastAsked()?.request).toEqual({ actorId: user.id, messageId: message.id, pinned: true });
  await user.api.delete(`/api/messages/${message.id}/pin`);
  expect(lastAsked()?.request).toMatchObject({ pinned: false });
  const { body } = await user.api.get(`/api/conversations/${conversationId}/pinned`);
  expect(body.map(({ id }: { id: string }) => id)).toEqual([message.id]);
});

it('stars, unstars and lists stars page by page', async () => {
  const { answers } = gateway.marks;
  expect((await user.api.put(`/api/messages/${answers.message.id}/star`)).status).toBe(204);
  expect(lastAsked()?.request).toEqual({ actorId: user.id, messageId: answers.message.id, starred: true });
  expect((await user.api.delete(`/api/messages/${answers.message.id}/star`)).status).toBe(204);
  const starredAt = new Date();
  answers.starred = [{ message: answers.message, starredAt }];
  answers.nextCursor = 'next';
  const page = await user.api.get('/api/starred?limit=1&cursor=before');
  expect(lastAsked()?.request).toEqual({ actorId: user.id, cursor: 'before', limit: 1 });
  expect(page.headers.get(nextCursorHeader)).toBe('next');
  expect(page.body).toMatchObject([{ message: { id: answers.message.id }, starredAt: starredAt.toISOString() }]);
});

it('sets and ends the timer', async () => {
  const path = `/api/conversations/${conversationId}`;
  expect((await user.api.patch(path, { disappearingSeconds: 60 })).body.id).toBe(conversationId);
  expect(lastAsked()?.request).toEqual({ actorId: user.id, conversationId, seconds: 60 });
  await user.api.patch(path, { disappearingSeconds: null });
  expect(lastAsked()?.request).toMatchObject({ seconds: 0 });
  for (const disappearingSeconds of [0, 1, 2_419_201, 'soon']) {
    expect((await user.api.patch(path, { disappearingSeconds })).status).toBe(400);
  }
});

it('changes what one chose for a conversation, and leaves what is not named', async () => {
  const path = `/api/conversations/${conversationId}/settings`;
  const mutedUntil = '2027-01-01T00:00:00.000Z';
  gateway.marks.answers.settings = {
    archivedAt: new Date(mutedUntil),
    pinnedAt: undefined,
    mutedUntil: new Date(mutedUntil),
    mutedExceptMentions: true,
    markedUnread: true,
    clearedSeq: 4,
    hiddenAt: undefined,
    requestedAt: undefined,
  };
  const reply = await user.api.patch(path, {
    archived: true,
    mutedUntil,
    mutedExceptMentions: true,
    markedUnread: true,
  });
  expect(reply.body).toEqual({
    archivedAt: mutedUntil,
    pinnedAt: null,
    mutedUntil,
    mutedExceptMentions: true,
    markedUnread: true,
    clearedSeq: 4,
    hiddenAt: null,
    requestedAt: null,
  });
  const request = { actorId: user.id, conversationId, unmute: false, pinned: undefined };
  expect(lastAsked()?.request).toMatchObject({ ...request, archived: true, mutedUntil: new Date(mutedUntil) });
  await user.api.patch(path, { mutedUntil: null });
  expect(lastAsked()?.request).toMatchObject({ ...request, unmute: true, archived: undefined, mutedUntil: undefined });
  expect((await user.api.patch(path, { mutedUntil: 'tomorrow' })).status).toBe(400);
  expect((await user.api.patch(`/api/conversations/${randomUUID().slice(1)}/settings`, {})).status).toBe(400);
});

it('hides a message, all of them, and the conversation with them', async () => {
  const { answers } = gateway.marks;
  answers.message = aMessage({ conversationId, hidden: true });
  const hidden = await user.api.put(`/api/messages/${answers.message.id}/hidden`);
  expect(hidden).toMatchObject({ status: 200, body: { id: answers.message.id, hidden: true } });
  expect(lastAsked()).toEqual({
    name: 'hideMessage',
    request: { actorId: user.id, messageId: answers.message.id },
  });
  const path = `/api/conversations/${conversationId}`;
  expect((await user.api.delete(`${path}/messages`)).body).toMatchObject({ clearedSeq: expect.any(Number) });
  expect(lastAsked()).toEqual({
    name: 'clearConversation',
    request: { actorId: user.id, conversationId, fromList: false },
  });
  expect((await user.api.delete(path)).status).toBe(200);
  expect(lastAsked()?.request).toEqual({ actorId: user.id, conversationId, fromList: true });
});
