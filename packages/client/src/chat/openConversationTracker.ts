import { withTimeline } from './chatStore.ts';
import { withMarkedUnread } from './ownFlags.ts';
import { withoutWindow } from './window.ts';
import type { ChatCore } from './chatCore.ts';
import type { ChatSync } from './chatSync.ts';
import type { Realtime } from '../socket/realtime.ts';

/** Milliseconds after which a typing indicator is renewed while the user types. */
const typingRenewMs = 3_000;

/**
 * Tracks the conversations on the screen: sends typing in them, and removes the unread mark of those that the user
 * opens.
 */
export function createOpenConversationTracker(
  { api, patch, row, sealed, timers }: ChatCore,
  sync: ChatSync,
  realtime: Pick<Realtime, 'send'>,
) {
  const joined = new Set<string>();
  const typingSent = new Map<string, number>();

  const stopTyping = (conversationId: string): void => {
    if (typingSent.delete(conversationId)) realtime.send('typing_stop', { conversationId });
  };

  return {
    stopTyping,
    /** Rejoins open conversations, which the server forgets after a disconnect. */
    rejoin(): void {
      for (const conversationId of joined) realtime.send('join_conversation', { conversationId });
    },
    /**
     * Loads a conversation's newest page and enables typing events in it. Call `close` when it leaves the screen.
     * Rejects with the request's error.
     */
    async open(conversationId: string): Promise<void> {
      joined.add(conversationId);
      if (row(conversationId)?.markedUnread) {
        patch((state) => withMarkedUnread(state, conversationId, false));
        // If it fails, the next frame or response corrects it.
        api.changeSettings(conversationId, { markedUnread: false }).catch(() => {});
      }
      realtime.send('join_conversation', { conversationId });
      patch((state) => {
        const timeline = state.timelines[conversationId];
        // Reopening moves the marker to where reading stopped last time.
        return timeline?.status === 'ready'
          ? withTimeline(state, conversationId, (current) => ({
              ...current,
              unreadAfter: state.conversations[conversationId]?.readSeq ?? 0,
            }))
          : {};
      });
      try {
        await sync.openTimeline(conversationId);
      } finally {
        // The messages tell, without a request, whether anybody wrote before the conversation was sealed.
        if (row(conversationId)?.type !== 'meeting') sealed.use((chats) => chats.standings.load(conversationId));
      }
    },
    close(conversationId: string): void {
      joined.delete(conversationId);
      patch((state) => withoutWindow(state, conversationId));
      stopTyping(conversationId);
      realtime.send('leave_conversation', { conversationId });
    },
    /** Called when the user types in the composer or empties it. */
    typing(conversationId: string, active: boolean): void {
      if (!active) return stopTyping(conversationId);
      const last = typingSent.get(conversationId) ?? 0;
      if (timers.now() - last < typingRenewMs) return;
      typingSent.set(conversationId, timers.now());
      sealed.use((chats) => chats.standings.prepare(conversationId));
      realtime.send('typing_start', { conversationId });
    },
  };
}
