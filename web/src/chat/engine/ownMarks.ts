import type { ConversationSettings } from '@nolo/api';
import type { ChatState } from './chatStore.ts';

/** One starred a message, or no longer, on whichever device. */
export function withStar(state: ChatState, messageId: string, starred: boolean): Partial<ChatState> {
  if ((state.starred[messageId] === true) === starred) return {};
  const { [messageId]: _, ...others } = state.starred;
  return { starred: starred ? { ...others, [messageId]: true } : others };
}

/** What oneself chose for a conversation, as it is told to all of one's devices. */
export function withSettings(state: ChatState, id: string, settings: ConversationSettings): Partial<ChatState> {
  const row = state.conversations[id];
  if (!row) return {};
  const { archivedAt, pinnedAt, mutedUntil, mutedExceptMentions, markedUnread } = settings;
  return {
    conversations: {
      ...state.conversations,
      [id]: { ...row, archivedAt, pinnedAt, mutedUntil, mutedExceptMentions, markedUnread },
    },
  };
}

export function withUnreadMark(state: ChatState, id: string, markedUnread: boolean): Partial<ChatState> {
  const row = state.conversations[id];
  return row ? { conversations: { ...state.conversations, [id]: { ...row, markedUnread } } } : {};
}
