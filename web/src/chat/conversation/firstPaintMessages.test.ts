/** @jest-environment jsdom */
import type { Conversation, Message } from '@nolo/api';
import { fakeChatServer } from '../../../../packages/client/tests/fakeChatServer.ts';
import type { EarlyConversation } from '../../session/earlyConversation.ts';
import { drawFirstPaintMessages, selectFirstPaintRows, isPlainText } from './firstPaintMessages.ts';

test.each([
  ['Hello, Ada: shall we say 10.30 (at ours)?', true],
  ['שלום', true],
  ['two\nlines', true],
  ['1,000 – or more…', true],
  ['', false],
  [' ', false],
  ['see www.example.org', false],
  ['see https://example.org', false],
  ['**bold**', false],
  ['a `word`', false],
  ['> said', false],
  ['- one', false],
  ['1. one', false],
  ['first\n2) second', false],
  ['@Ada', false],
  ['fine 🙂', false],
  ['turned \u202e round', false],
  ['x'.repeat(1_001), false],
])('%j is plain text: %s', (text, plain) => {
  expect(isPlainText(text)).toBe(plain);
});

async function early(texts: readonly string[], change: Partial<Conversation> = {}, of: Partial<Message> = {}) {
  const server = fakeChatServer();
  for (const [index, text] of texts.entries()) server.store(index % 2 === 0 ? 'me' : 'you', text, null);
  const row = await server.api.getConversation('c1');
  const { items } = await server.api.listMessages('c1', {});
  const messages = items.map((message, index) => (index === items.length - 1 ? { ...message, ...of } : message));
  const conversation = { ...row, unreadCount: 0, otherUser: { id: 'you', isBlocked: false }, ...change };
  return {
    conversation,
    page: { items: messages, headers: new Headers(), asOf: row.changeSeq },
  } as unknown as EarlyConversation;
}
const texts = (one: EarlyConversation) => selectFirstPaintRows(one).map(({ message }) => message.content);

test('the newest plain messages are drawn, up to the first that is anything else', async () => {
  const rows = selectFirstPaintRows(await early(['one', '**two**', 'three', 'four']));
  expect(rows.map(({ message, own }) => [message.content, own])).toEqual([
    ['three', true],
    ['four', false],
  ]);
  expect(texts(await early(['one', '*two*']))).toEqual([]);
});

test('where messages are encrypted, none is drawn that the device did not open', async () => {
  expect(texts(await early(['one', 'two', 'three'], { sealedFromSeq: 2 }))).toEqual([]);
  expect(texts(await early(['one', 'two'], { sealedFromSeq: 3 }))).toEqual(['one', 'two']);
});

test.each<[string, Partial<Conversation>]>([
  ['a group', { type: 'group' }],
  ['a request', { requestedAt: '2026-01-01T00:00:00.000Z' }],
  ['unread', { unreadCount: 1 }],
  ['cleared', { clearedSeq: 2 }],
  ['of a deleted account', { otherUser: null }],
  ['blocked', { otherUser: { id: 'you', isBlocked: true } as never }],
])('a conversation that is %s draws no messages', async (_, change) => {
  expect(texts(await early(['one', 'two']))).toEqual(['one', 'two']);
  expect(texts(await early(['one', 'two'], change))).toEqual([]);
});

test.each<[string, Partial<Message>]>([
  ['a picture', { messageType: 'image' }],
  ['deleted', { deletedAt: '2026-01-01T00:00:00.000Z' }],
  ['about to disappear', { expiresAt: '2100-01-01T00:00:00.000Z' }],
  ['edited', { editedAt: '2026-01-01T00:00:00.000Z' }],
  ['pinned', { pinnedAt: '2026-01-01T00:00:00.000Z' }],
  ['an answer', { replyTo: {} as never }],
  ['forwarded', { forwarded: true }],
  ['reacted to', { reactions: [{}] as never }],
  ['with a mention', { mentions: ['me'] }],
  ['with a preview', { linkPreview: {} as never }],
  ['about a status update', { extra: {} as never }],
])('a message that is %s waits for the app', async (_, of) => {
  expect(texts(await early(['one', 'two'], {}, of))).toEqual([]);
});

test('hidden messages are skipped, and drawing ends with the first of a day', async () => {
  expect(texts(await early(['one', 'two'], {}, { hidden: true }))).toEqual(['one']);
  expect(texts(await early(['one', 'two'], {}, { createdAt: '2026-11-27T12:00:00.000Z' }))).toEqual(['two']);
});

test('text appears in the place of the future bubbles, unformatted', async () => {
  document.body.innerHTML = '<div id="frame"><p role="status">chats</p><p role="status">messages</p></div>';
  const frame = document.getElementById('frame') ?? document.body;
  expect(drawFirstPaintMessages(frame, await early(['**x**', 'Hello you', 'Hello']), () => '12:34')).toBe(true);
  const words = frame.querySelector('[data-words]');
  expect(words?.textContent).toBe('Hello you12:34Hello12:34');
  expect(frame.querySelectorAll('[role=status]')).toHaveLength(1);
  // The user's own messages leave room for their ticks.
  expect([...frame.querySelectorAll('time')].map(({ nextSibling }) => nextSibling === null)).toEqual([true, false]);
});

test('the frame stays unchanged without plain messages', async () => {
  document.body.innerHTML = '<div id="frame"><p role="status">messages</p></div>';
  const before = document.body.innerHTML;
  expect(drawFirstPaintMessages(document.body, await early(['**x**']), () => '')).toBe(false);
  expect(document.body.innerHTML).toBe(before);
});
