import type { Message } from '@nolo/api';
import { findNextVoiceNote } from './findNextVoiceNote.ts';

const message = (id: string, messageType: Message['messageType'], deletedAt: string | null = null): Message =>
  ({ id, clientMessageId: null, messageType, deletedAt }) as Message;

test('the next voice note plays on, past deleted and system messages', () => {
  const all = [
    message('a', 'voice'),
    message('b', 'system'),
    message('c', 'voice', '2026-01-01'),
    message('d', 'voice'),
    message('e', 'text'),
    message('f', 'voice'),
  ];
  expect(findNextVoiceNote(all, 'a')?.id).toBe('d');
  expect(findNextVoiceNote(all, 'd')).toBeNull();
  expect(findNextVoiceNote(all, 'f')).toBeNull();
  expect(findNextVoiceNote(all, 'unknown')).toBeNull();
});
