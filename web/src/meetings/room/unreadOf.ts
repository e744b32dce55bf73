import { useContext, useSyncExternalStore } from 'react';
import { ChatContext } from '../../chat/context/chatContext.ts';

/** Unread messages of a conversation; none for guests, who have no chats. */
export function useUnreadOf(conversationId: string | null): number {
  const store = useContext(ChatContext)?.engine.store;
  return useSyncExternalStore(
    (changed) => store?.subscribe(changed) ?? (() => undefined),
    () => (conversationId === null ? 0 : (store?.getState().conversations[conversationId]?.unreadCount ?? 0)),
  );
}
