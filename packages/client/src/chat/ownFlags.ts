import type { ChatState } from './state.ts';

/** Applies that the user starred or unstarred a message on any device. */
export function withStar(state: ChatState, messageId: string, starred: boolean): Partial<ChatState> {
  if ((state.starred[messageId] === true) === starred) return {};
  const { [messageId]: _, ...others } = state.starred;
  return { starred: starred ? { ...others, [messageId]: true } : others };
}

export function withMarkedUnread(state: ChatState, id: string, markedUnread: boolean): Partial<ChatState> {
  const row = state.conversations[id];
  return row ? { conversations: { ...state.conversations, [id]: { ...row, markedUnread } } } : {};
}
