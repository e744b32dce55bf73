import type { Conversation } from '@nolo/api';
import { conversationName } from './conversationName.ts';
import en from '../../../locales/en/app.json' with { type: 'json' };

const t = ((key: string) => en.chats[key.replace('chats.', '') as 'group']) as never;
const unnamed = (type: Conversation['type']) =>
  conversationName({ type, name: null, otherUser: null } as Conversation, t);

test('the chat of a meeting is not called a group', () => {
  expect(unnamed('meeting')).toBe('Meeting chat');
  expect(unnamed('group')).toBe('Group');
  expect(unnamed('direct')).toBe('Deleted account');
});
