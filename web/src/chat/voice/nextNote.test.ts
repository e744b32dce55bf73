import type { Message } from '@nolo/api';
import { nextNote } from './nextNote.ts';

const message = (id: string, messageType: Message['messageType'], deletedAt: string | null = null): Message =>
  ({ id, clientMessageId: null, messageType, deletedAt }) as Message;

test('the note that follows plays on, over what is gone and what the server wrote', () => {
  const all = [
    message('a', 'voice'),
    message('b', 'system'),
    message('c', 'voice', '2026-01-01'),
    message('d', 'voice'),
    message('e', 'text'),
    message('f', 'voice'),
  ];
  expect(nextNote(all, 'a')?.id).toBe('d');
  expect(nextNote(all, 'd')).toBeNull();
  expect(nextNote(all, 'f')).toBeNull();
  expect(nextNote(all, 'unknown')).toBeNull();
});
