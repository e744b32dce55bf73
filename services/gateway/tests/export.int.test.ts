import { fail } from '@nolo/kit/errors';
import type { TestUser } from '@nolo/testing';
import { aMessage } from '@nolo/testing/protos';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let conversationId: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  const other = await gateway.signUp();
  user = await gateway.signUp();
  conversationId = (await user.api.post('/api/conversations', { otherUserId: other.id })).body.id;
}, 30_000);
afterAll(() => gateway.stop());

it('exports an account as one JSON file, with everything that chat keeps of it', async () => {
  await user.api.post('/api/messages', { conversationId, content: 'hello' });
  const message = aMessage({ conversationId });
  const starredAt = new Date();
  gateway.marks.answers.starred = [{ message, starredAt }];
  gateway.transcriber.answers.usedSeconds = 90;
  const { body, headers, status } = await user.api.get('/api/account/export');
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toContain('attachment');
  expect(Object.keys(body)).toEqual([
    'account',
    'messages',
    'groups',
    'conversations',
    'starred',
    'statusUpdates',
    'statusAudience',
    'socialAccounts',
    'socialPosts',
    'billing',
    'transcription',
  ]);
  expect(body).toMatchObject({ account: { id: user.id }, messages: [{ content: 'hello' }] });
  const settings = {
    archivedAt: null,
    pinnedAt: null,
    mutedUntil: null,
    mutedExceptMentions: false,
    markedUnread: false,
    clearedSeq: 0,
    hiddenAt: null,
  };
  expect(body.conversations).toEqual([{ id: conversationId, type: 'direct', ...settings, disappearingSeconds: null }]);
  expect(body.transcription).toEqual([{ month: '2026-11', usedSeconds: 90 }]);
  expect(body.starred).toEqual([{ conversationId, messageId: message.id, starredAt: starredAt.toISOString() }]);
});

it('of somebody who has nothing is whole all the same', async () => {
  const newcomer = await gateway.signUp();
  gateway.marks.answers.starred = [];
  gateway.transcriber.answers.usedSeconds = 0;
  const { body } = await newcomer.api.get('/api/account/export');
  expect(body).toMatchObject({ messages: [], groups: [], conversations: [], starred: [], transcription: [] });
});

it('is broken off where something fails in the middle, so that nobody takes a part for the whole', async () => {
  const newcomer = await gateway.signUp();
  gateway.marks.answers.error = fail('unavailable', 'service_unavailable', 'chat is away.');
  await expect(newcomer.api.get('/api/account/export')).rejects.toThrow();
  gateway.marks.answers.error = undefined;
});
