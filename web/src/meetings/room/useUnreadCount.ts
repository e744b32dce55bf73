import { useContext, useSyncExternalStore } from 'react';
import { ChatContext } from '../../chat/context/chatContext.ts';

/** Returns the unread messages of a conversation. Guests have no chats and none. */
export function useUnreadCount(conversationId: string | null): number {
  const store = useContext(ChatContext)?.engine.store;
  return useSyncExternalStore(
    (changed) => store?.subscribe(changed) ?? (() => undefined),
    () => (conversationId === null ? 0 : (store?.getState().conversations[conversationId]?.unreadCount ?? 0)),
  );
}
