import { withTimeline } from './chatStore.ts';
import { withUnreadMark } from './ownMarks.ts';
import { withoutWindow } from './window.ts';
import type { ChatCore } from './chatCore.ts';
import type { ChatSync } from './chatSync.ts';
import type { Realtime } from '../../api/realtime.ts';

/** A typing mark is renewed this often while keys are pressed. */
const typingRenewMs = 3_000;

/** Conversations that are on the screen: what is typed in them is told there, and whoever opens one has seen that it was marked. */
export function createVisits({ api, patch, row, timers }: ChatCore, sync: ChatSync, realtime: Pick<Realtime, 'send'>) {
  const joined = new Set<string>();
  const typingSent = new Map<string, number>();

  const stopTyping = (conversationId: string): void => {
    if (typingSent.delete(conversationId)) realtime.send('typing_stop', { conversationId });
  };

  return {
    stopTyping,
    /** After a break the server knows nothing of where one is. */
    rejoin(): void {
      for (const conversationId of joined) realtime.send('join_conversation', { conversationId });
    },
    /** Loads a conversation's newest page and scopes typing to it; `close` when it leaves the screen. Rejects with the request's error. */
    async open(conversationId: string): Promise<void> {
      joined.add(conversationId);
      if (row(conversationId)?.markedUnread) {
        patch((state) => withUnreadMark(state, conversationId, false));
        // Where that is refused the next frame or answer says so.
        api.changeSettings(conversationId, { markedUnread: false }).catch(() => {});
      }
      realtime.send('join_conversation', { conversationId });
      patch((state) => {
        const timeline = state.timelines[conversationId];
        // Opening it again is a new visit: the marker stands where reading stopped last time.
        return timeline?.status === 'ready'
          ? withTimeline(state, conversationId, (current) => ({
              ...current,
              unreadAfter: state.conversations[conversationId]?.readSeq ?? 0,
            }))
          : {};
      });
      await sync.openTimeline(conversationId);
    },
    close(conversationId: string): void {
      joined.delete(conversationId);
      patch((state) => withoutWindow(state, conversationId));
      stopTyping(conversationId);
      realtime.send('leave_conversation', { conversationId });
    },
    /** A key was pressed in the composer, or its text was emptied. */
    typing(conversationId: string, active: boolean): void {
      if (!active) return stopTyping(conversationId);
      const last = typingSent.get(conversationId) ?? 0;
      if (timers.now() - last < typingRenewMs) return;
      typingSent.set(conversationId, timers.now());
      realtime.send('typing_start', { conversationId });
    },
  };
}
