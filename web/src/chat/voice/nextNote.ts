import type { Message } from '@nolo/api';

/**
 * The voice note that plays on after another one: the one that follows it in the conversation, whoever it is from.
 * Words in between end it, for what comes after them is about something else.
 */
export function nextNote(messages: readonly Message[], key: string): Message | null {
  const index = messages.findIndex(({ id, clientMessageId }) => (clientMessageId ?? id) === key);
  if (index < 0) return null;
  for (const message of messages.slice(index + 1)) {
    if (message.deletedAt !== null || message.messageType === 'system') continue;
    return message.messageType === 'voice' ? message : null;
  }
  return null;
}
