import type { Conversation, ConversationSettings } from '@nolo/api';
import type { ConversationSettingsChange } from './ports.ts';
import type { ChatState, OptimisticUpdate } from './state.ts';
import type { ChatCore } from './chatCore.ts';
import type { ChatSync } from './chatSync.ts';
import { withSettings } from './hiding.ts';
import { withStar } from './ownFlags.ts';

/** Maximum pages of stars loaded to show them on messages. Further ones appear only in the list. */
const starPages = 5;

function withOptimisticUpdate(
  state: ChatState,
  messageId: string,
  change: OptimisticUpdate | null,
): Partial<ChatState> {
  const { [messageId]: known, ...others } = state.optimisticUpdates;
  return { optimisticUpdates: change ? { ...others, [messageId]: { ...known, ...change } } : others };
}

/** Actions on existing messages and conversations. They apply immediately and are reverted on failure. */
export function createMessageActions({ api, patch, row, timers }: ChatCore, sync: ChatSync) {
  const latest = new Map<string, number>();
  let starsRequested = false;

  /** Shows the optimistic update during the request. Only the latest one for a message counts. */
  const updateOptimistically = async (
    messageId: string,
    update: OptimisticUpdate,
    request: () => ReturnType<typeof api.react>,
  ): Promise<void> => {
    const turn = (latest.get(messageId) ?? 0) + 1;
    latest.set(messageId, turn);
    patch((state) => withOptimisticUpdate(state, messageId, update));
    try {
      const message = await request();
      sync.receive(message);
      sync.inOrder(message.conversationId, message.changeSeq);
    } finally {
      if (latest.get(messageId) === turn) {
        latest.delete(messageId);
        patch((state) => withOptimisticUpdate(state, messageId, null));
      }
    }
  };

  return {
    /** Replaces the user's reaction. Null removes it. Rejects with the request's error. */
    react: (messageId: string, emoji: string | null) =>
      updateOptimistically(messageId, { reaction: emoji }, () => api.react(messageId, emoji)),
    pin: (messageId: string, pinned: boolean) =>
      updateOptimistically(messageId, { pinned }, () => api.pinMessage(messageId, pinned)),
    async star(messageId: string, starred: boolean): Promise<void> {
      patch((state) => withStar(state, messageId, starred));
      try {
        await api.starMessage(messageId, starred);
      } catch (error) {
        patch((state) => withStar(state, messageId, !starred));
        throw error;
      }
      // A list of stars loaded meanwhile may lack this one.
      patch((state) => ({ starred: { ...state.starred } }));
    },
    /** Loads the user's starred messages once. */
    async loadStars(): Promise<void> {
      if (starsRequested) return;
      starsRequested = true;
      try {
        let cursor: string | undefined;
        for (let page = 0; page < starPages; page++) {
          const { items, nextCursor } = await api.listStarred(cursor);
          patch(({ starred }) => ({
            starred: { ...starred, ...Object.fromEntries(items.map(({ message }) => [message.id, true as const])) },
          }));
          if (nextCursor === null) return;
          cursor = nextCursor;
        }
      } catch {
        // The stars are missing until the next conversation opens. Everything else works.
        starsRequested = false;
      }
    },
    /** Hides a message from the user on all their devices. Rejects with the request's error. */
    async hide(messageId: string): Promise<void> {
      const message = await api.hideMessage(messageId);
      sync.receive(message);
      sync.inOrder(message.conversationId, message.changeSeq);
    },
    /** Hides all messages from the user, and with `fromList` the conversation. Rejects with the request's error. */
    async clear(id: string, fromList: boolean): Promise<void> {
      const settings = await api.clearConversation(id, fromList);
      patch((state) => withSettings(state, id, settings));
      sync.dropKept(id);
    },
    /** Archives, pins, mutes, accepts, or marks a conversation as unread. Rejects with the request's error. */
    async setConversation(id: string, change: ConversationSettingsChange): Promise<void> {
      const before = row(id);
      if (!before) return;
      patch((state) => withSettings(state, id, changedSettings(before, change, timers.now())));
      try {
        const settings = await api.changeSettings(id, change);
        patch((state) => withSettings(state, id, settings));
      } catch (error) {
        patch((state) => withSettings(state, id, before));
        throw error;
      }
    },
  };
}

function changedSettings(row: Conversation, change: ConversationSettingsChange, now: number): ConversationSettings {
  const at = (wanted: boolean | undefined, known: string | null): string | null =>
    wanted === undefined ? known : wanted ? (known ?? new Date(now).toISOString()) : null;
  return {
    archivedAt: at(change.archived, row.archivedAt),
    pinnedAt: at(change.pinned, row.pinnedAt),
    mutedUntil: change.mutedUntil === undefined ? row.mutedUntil : change.mutedUntil,
    mutedExceptMentions: change.mutedExceptMentions ?? row.mutedExceptMentions,
    markedUnread: change.markedUnread ?? row.markedUnread,
    clearedSeq: row.clearedSeq,
    hiddenAt: row.hiddenAt,
    requestedAt: change.accepted ? null : row.requestedAt,
  };
}
