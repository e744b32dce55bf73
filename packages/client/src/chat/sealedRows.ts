import type { Message } from '@nolo/api';
import type { ChatState } from './state.ts';

/** Code of a message that this release refuses to send, because it could not seal it. */
export const updateRequiredCode = 'update_required';

/** Returns true if the content of a message is sealed, so that this release cannot show it. */
export function isSealed({ sealed, deletedAt }: Pick<Message, 'sealed' | 'deletedAt'>): boolean {
  return deletedAt === null && typeof sealed === 'string' && sealed !== '';
}

/**
 * Returns true if a conversation is known to have sealed messages. A sealed conversation takes no plain text, so this
 * release sends nothing to it.
 */
export function hasSealedMessages(
  { conversations, timelines }: Pick<ChatState, 'conversations' | 'timelines'>,
  conversationId: string,
): boolean {
  const lastMessage = conversations[conversationId]?.lastMessage;
  if (lastMessage && isSealed(lastMessage)) return true;
  return timelines[conversationId]?.messages.some(isSealed) === true;
}
