import type { Message } from '@nolo/api';

/**
 * Returns the voice note that plays after another: the next message, from anyone. A different message in between ends
 * the sequence, because the topic may have changed.
 */
export function findNextVoiceNote(messages: readonly Message[], key: string): Message | null {
  const index = messages.findIndex(({ id, clientMessageId }) => (clientMessageId ?? id) === key);
  if (index < 0) return null;
  for (const message of messages.slice(index + 1)) {
    if (message.deletedAt !== null || message.messageType === 'system') continue;
    return message.messageType === 'voice' ? message : null;
  }
  return null;
}
