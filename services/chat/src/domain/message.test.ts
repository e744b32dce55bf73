import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import { checkDraft, checkErasure, checkRevision, type DraftInput, type Message } from './message.ts';

const author = '0199aaaa-0000-7000-8000-000000000001' as UserId;
const reader = '0199aaaa-0000-7000-8000-000000000002' as UserId;

const input = (more: Partial<DraftInput> = {}): DraftInput => ({
  content: 'hello',
  encryption: '',
  messageType: '',
  clientMessageId: '',
  attachment: undefined,
  mentions: [],
  ...more,
});

const attachment = (more: Partial<NonNullable<DraftInput['attachment']>>) => ({
  messageType: 'file',
  attachment: {
    fileUrl: '',
    fileName: '',
    fileSize: 0,
    voiceMessageUrl: '',
    voiceMessageDuration: 0,
    voiceMessageTranscription: '',
    ...more,
  },
});

const message: Message = {
  ...checkDraft(author, input()),
  id: '0199aaaa-0000-7000-8000-00000000000a' as MessageId,
  conversationId: '0199aaaa-0000-7000-8000-00000000000b' as ConversationId,
  seq: 1,
  changeSeq: 3,
  createdAt: new Date('2026-11-20T12:00:00Z'),
  editedAt: null,
  deletedAt: null,
};
const soon = new Date('2026-11-20T13:00:00Z');
const late = new Date('2026-11-21T12:00:00.001Z');

test('empty fields become their defaults', () => {
  expect(checkDraft(author, input())).toEqual({
    senderId: author,
    clientMessageId: null,
    content: 'hello',
    encryption: 'none',
    messageType: 'text',
    mentions: [],
    fileUrl: null,
    fileName: null,
    fileSize: null,
    voiceMessageUrl: null,
    voiceMessageDuration: null,
    voiceMessageTranscription: null,
  });
});

test('ids are kept in lower case, so that one id is one string', () => {
  const draft = checkDraft(author, input({ clientMessageId: author.toUpperCase(), mentions: [reader.toUpperCase()] }));
  expect(draft).toMatchObject({ clientMessageId: author, mentions: [reader] });
});

test.each([
  ['a lone surrogate', { content: 'a\ud800' }],
  ['a NUL in a name', attachment({ fileName: 'a\0' })],
  ['a negative size', attachment({ fileSize: -1 })],
  ['half a byte', attachment({ fileSize: 0.5 })],
  ['an endless voice message', attachment({ voiceMessageDuration: Infinity })],
  ['an address elsewhere', attachment({ fileUrl: 'https://elsewhere.example/pixel.png' })],
  ['an address without a scheme', attachment({ fileUrl: '//elsewhere.example/pixel.png' })],
  ['the same with a backslash', attachment({ fileUrl: '/\\elsewhere.example' })],
  ['a script for an address', attachment({ voiceMessageUrl: 'javascript:alert(1)' })],
  ['an endless name', attachment({ fileName: 'a'.repeat(4_097) })],
])('%s is refused', (_, more) => {
  expect(() => checkDraft(author, input(more))).toThrow(expect.objectContaining({ code: 'message_invalid' }));
});

test('a caption may be blank, a text may not', () => {
  expect(checkDraft(author, input({ content: '', ...attachment({ fileUrl: '/api/files/1' }) })).content).toBe('');
  expect(() => checkDraft(author, input({ content: '' }))).toThrow(expect.objectContaining({ code: 'message_blank' }));
});

test('who is not the author learns that first, even of tombstones and after the time', () => {
  const gone = { ...message, deletedAt: soon };
  for (const state of [message, gone]) {
    const refused = expect.objectContaining({ code: 'not_author', kind: 'forbidden' });
    expect(() => checkRevision(state, reader, input(), late)).toThrow(refused);
    expect(() => checkErasure(state, reader, late)).toThrow(refused);
  }
});

test('the author may edit and erase for 24 hours; a tombstone stays one', () => {
  expect(checkRevision(message, author, input({ content: 'better' }), soon)).toEqual({
    content: 'better',
    encryption: 'none',
  });
  expect(checkErasure(message, author, soon)).toBe(true);
  expect(() => checkRevision(message, author, input(), late)).toThrow(
    expect.objectContaining({ code: 'edit_expired' }),
  );
  expect(() => checkErasure(message, author, late)).toThrow(expect.objectContaining({ code: 'delete_expired' }));
  const gone = { ...message, deletedAt: soon };
  expect(checkErasure(gone, author, late)).toBe(false);
  expect(() => checkRevision(gone, author, input(), soon)).toThrow(
    expect.objectContaining({ code: 'message_not_found' }),
  );
});
