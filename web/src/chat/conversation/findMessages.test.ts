import type { Message } from '@nolo/api';
import { findMessages } from './findMessages.ts';

const message = (seq: number, content: string, fields: Partial<Message> = {}) =>
  ({ seq, content, deletedAt: null, messageType: 'text', ...fields }) as Message;

test('text is found regardless of case and accents, newest first', () => {
  const all = [message(1, 'Café at nine'), message(2, 'nothing'), message(3, 'the CAFE?')];
  expect(findMessages(all, ' cafe ')).toEqual([3, 1]);
  expect(findMessages(all, 'CAFÉ at')).toEqual([1]);
  expect(findMessages(all, '')).toEqual([]);
});

test('soft hyphens and joiners inside words do not hide them, and other alphabets are found', () => {
  const all = [message(1, 'Donau\u00addampf\u00adschiff'), message(2, 'می\u200cخواهم'), message(3, 'İPEK ve Σίσυφος')];
  expect(findMessages(all, 'dampfschiff')).toEqual([1]);
  expect(findMessages(all, 'میخواهم')).toEqual([2]);
  expect(findMessages(all, 'ipek')).toEqual([3]);
  expect(findMessages(all, 'ΣΊΣΥΦΟΣ')).toEqual([3]);
});

test('a message is found by the text that people read', () => {
  const all = [message(1, 'a **bold** word'), message(2, '', { messageType: 'voice', fileName: 'voice-bold.webm' })];
  expect(findMessages(all, 'bold word')).toEqual([1]);
  expect(findMessages(all, 'voice')).toEqual([]);
});

test('a query of invisible characters finds nothing', () => {
  expect(findMessages([message(1, 'x')], '\u200b')).toEqual([]);
});

test('deleted messages and system messages are not searched', () => {
  expect(
    findMessages([message(1, 'x', { deletedAt: 'now' }), message(2, '{"kind":"x"}', { messageType: 'system' })], 'x'),
  ).toEqual([]);
});
