import type { ChatState } from './chatStore.ts';

/** One starred a message, or no longer, on whichever device. */
export function withStar(state: ChatState, messageId: string, starred: boolean): Partial<ChatState> {
  if ((state.starred[messageId] === true) === starred) return {};
  const { [messageId]: _, ...others } = state.starred;
  return { starred: starred ? { ...others, [messageId]: true } : others };
}

export function withUnreadMark(state: ChatState, id: string, markedUnread: boolean): Partial<ChatState> {
  const row = state.conversations[id];
  return row ? { conversations: { ...state.conversations, [id]: { ...row, markedUnread } } } : {};
}
