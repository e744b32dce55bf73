import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import { aSendMessageRequest } from '@nolo/testing/protos';
import {
  checkDraft,
  checkErasure,
  checkRevision,
  type MessageDraftInput,
  type StoredMessage,
  type MessageRevisionInput,
} from './message.ts';

const author = '0199aaaa-0000-7000-8000-000000000001' as UserId;
const reader = '0199aaaa-0000-7000-8000-000000000002' as UserId;

const input = (more: Partial<MessageDraftInput> = {}): MessageDraftInput => ({
  ...aSendMessageRequest({ clientMessageId: undefined }),
  ...more,
});

const attachment = (more: Partial<NonNullable<MessageDraftInput['attachment']>>) => ({
  messageType: 'file',
  attachment: {
    fileUrl: '',
    fileSize: 0,
    voiceMessageUrl: '',
    previewUrl: '',
    ...more,
  },
});

const message: StoredMessage = {
  ...checkDraft(author, input()),
  id: '0199aaaa-0000-7000-8000-00000000000a' as MessageId,
  conversationId: '0199aaaa-0000-7000-8000-00000000000b' as ConversationId,
  seq: 1,
  changeSeq: 3,
  replyTo: null,
  reactions: [],
  pinnedAt: null,
  expiresAt: null,
  createdAt: new Date('2026-11-20T12:00:00Z'),
  editedAt: null,
  deletedAt: null,
  hidden: false,
  seal: null,
};
const soon = new Date('2026-11-20T13:00:00Z');
const late = new Date('2026-11-21T12:00:00.001Z');

test('empty fields get their defaults', () => {
  expect(checkDraft(author, input())).toEqual({
    senderId: author,
    clientMessageId: null,
    content: 'hello',
    encryption: 'none',
    messageType: 'text',
    mentions: [],
    replyToSeq: null,
    forwarded: false,
    hasLink: false,
    fileUrl: null,
    fileSize: null,
    voiceMessageUrl: null,
    previewUrl: null,
    fileIds: [],
  });
});

test('ids are lower-cased, so that one id is one string', () => {
  const draft = checkDraft(author, input({ clientMessageId: author.toUpperCase(), mentions: [reader.toUpperCase()] }));
  expect(draft).toMatchObject({ clientMessageId: author, mentions: [reader] });
});

test.each([
  ['a lone surrogate', { content: 'a\ud800' }],
  ['a negative size', attachment({ fileSize: -1 })],
  ['a fractional size', attachment({ fileSize: 0.5 })],
  ['an external URL', attachment({ fileUrl: 'https://elsewhere.example/pixel.png' })],
  ['a URL without a scheme', attachment({ fileUrl: '//elsewhere.example/pixel.png' })],
  ['an external URL with a backslash', attachment({ fileUrl: '/\\elsewhere.example' })],
  ['a script URL', attachment({ voiceMessageUrl: 'javascript:alert(1)' })],
  ['a URL that is not a file', attachment({ fileUrl: '/api/auth/user' })],
  ['a file without a URL', attachment({})],
  ['a voice message without a URL', { ...attachment({ fileUrl: `/objects/${reader}` }), messageType: 'voice' }],
  ['a text message with a file', { ...attachment({ fileUrl: `/objects/${reader}` }), messageType: 'text' }],
])('%s is refused', (_, more) => {
  expect(() => checkDraft(author, input(more))).toThrow(expect.objectContaining({ code: 'message_invalid' }));
});

test('a caption may be blank, but a text may not', () => {
  expect(checkDraft(author, input({ content: '', ...attachment({ fileUrl: `/objects/${reader}` }) })).content).toBe('');
  expect(() => checkDraft(author, input({ content: '' }))).toThrow(expect.objectContaining({ code: 'message_blank' }));
});

const revision = { content: 'hello', encryption: '' };

test('non-authors always get the not-author error first, even for a tombstone or after the deadline', () => {
  const gone = { ...message, deletedAt: soon };
  for (const state of [message, gone]) {
    const refused = expect.objectContaining({ code: 'not_author', kind: 'forbidden' });
    expect(() => checkRevision(state, reader, revision, late)).toThrow(refused);
    expect(() => checkErasure(state, { id: reader, isAdmin: false }, late)).toThrow(refused);
  }
});

test('the author can edit and delete for 24 hours; a tombstone stays one', () => {
  expect(checkRevision(message, author, { content: 'better', encryption: '' }, soon)).toEqual({
    content: 'better',
    encryption: 'none',
  });
  expect(checkErasure(message, { id: author, isAdmin: false }, soon)).toBe(true);
  expect(() => checkRevision(message, author, revision, late)).toThrow(
    expect.objectContaining({ code: 'edit_expired' }),
  );
  expect(() => checkErasure(message, { id: author, isAdmin: false }, late)).toThrow(
    expect.objectContaining({ code: 'delete_expired' }),
  );
  const gone = { ...message, deletedAt: soon };
  expect(checkErasure(gone, { id: author, isAdmin: false }, late)).toBe(false);
  expect(() => checkRevision(gone, author, revision, soon)).toThrow(
    expect.objectContaining({ code: 'message_not_found' }),
  );
});

test("group owner and admins can delete any member's message at any time, but not system messages", () => {
  const admin = { id: reader, isAdmin: true };
  expect(checkErasure(message, admin, late)).toBe(true);
  expect(checkErasure({ ...message, deletedAt: soon }, admin, late)).toBe(false);
  expect(() => checkErasure({ ...message, messageType: 'system' }, admin, soon)).toThrow(
    expect.objectContaining({ code: 'not_author' }),
  );
});

test('an edit changes the given fields and keeps the rest', () => {
  const edited = (more: Partial<MessageRevisionInput>) =>
    checkRevision(message, author, { ...revision, ...more }, soon);
  expect(edited({})).toEqual({ content: 'hello', encryption: 'none' });
  expect(edited({ hasLink: false }).hasLink).toBe(false);
  expect(edited({ mentions: { userIds: [reader, reader] } }).mentions).toEqual([reader]);
  const refused = expect.objectContaining({ code: 'message_invalid' });
  expect(() => edited({ mentions: { userIds: ['ada'] } })).toThrow(refused);
});
