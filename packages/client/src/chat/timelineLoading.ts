import type { Message } from '@nolo/api';
import type { CatchUp } from './catchUp.ts';
import type { ChatCore } from './chatCore.ts';
import { withConversation, withTimeline } from './chatStore.ts';
import type { ConversationRowLoader } from './conversationRowLoader.ts';
import type { ReceiptSender } from './receiptSender.ts';
import { readFromDevice } from './readFromDevice.ts';
import { offlineChatLimits, restoreOfflineTimeline } from './offlineChats.ts';
import { withNewestPage, withOlderPage } from './timeline.ts';

const pageSize = 50;
/** Page size for background storage and for many unread messages: fewer, larger pages. */
const keptPageSize = 100;

/** Loads the messages of a conversation from the device or the server: the newest, then older ones page by page. */
export function createTimelineLoading(
  { api, device, patch, row, store, timers, watchers }: ChatCore,
  {
    cursors,
    rows,
    learn,
    catchUp,
    isBehind,
  }: CatchUp & {
    cursors: ReceiptSender;
    rows: ConversationRowLoader;
    learn(messages: readonly Message[]): void;
  },
) {
  const opening = new Map<string, Promise<void>>();
  const timelineOf = (id: string) => store.getState().timelines[id];

  const loadNewest = async (id: string, limit?: number): Promise<void> => {
    try {
      // The row loads first: its changeSeq is older than the messages, so that changes in between apply twice rather
      // than never.
      const fresh = rows.takeBrought(id) ?? (await api.getConversation(id));
      patch((state) => withConversation(state, fresh));
      patch((state) =>
        withTimeline(state, id, (timeline) => ({
          ...timeline,
          status: timeline.status === 'ready' ? 'ready' : 'loading',
        })),
      );
      // Reading starts at the first unread message, and nothing above it should load while the user reads.
      const needed = fresh.unreadCount > pageSize / 2 ? keptPageSize : pageSize;
      const early = needed === pageSize ? await api.takeEarlyPage?.(id) : undefined;
      const page = early ?? (await api.listMessages(id, { limit: limit ?? needed }));
      const changeSeq = Math.min(fresh.changeSeq, early?.asOf ?? fresh.changeSeq);
      learn(page.items);
      if (timelineOf(id)?.status === 'ready') for (const watcher of watchers) watcher.onSkipped(id);
      patch((state) =>
        withTimeline(state, id, (timeline) => ({
          ...withNewestPage(timeline, page.items, page.nextCursor !== null),
          changeSeq,
          unreadAfter: timeline.unreadAfter || fresh.readSeq,
        })),
      );
      if ((row(id)?.changeSeq ?? 0) > changeSeq) void catchUp(id);
      cursors.arrived(id);
      rows.askForMembers(id);
    } catch (error) {
      if (rows.isGone(error)) {
        rows.forget(id);
        throw error;
      }
      patch((state) =>
        withTimeline(state, id, (timeline) =>
          timeline.status === 'ready' ? timeline : { ...timeline, status: 'error' },
        ),
      );
      throw error;
    }
  };

  /** Restores a conversation from the device. Resolves to false if nothing is stored. */
  const restore = async (id: string): Promise<boolean> => {
    const kept = await readFromDevice(timers, device?.readTimeline(id));
    if (!kept || !row(id)) return false;
    const clearedSeq = row(id)?.clearedSeq ?? 0;
    patch((state) => withTimeline(state, id, (timeline) => restoreOfflineTimeline(timeline, kept, clearedSeq)));
    return true;
  };

  /** Loads a conversation's newest messages, from the device if possible. Rejects with the request's error. */
  const openTimeline = (id: string, limit?: number): Promise<void> => {
    if (timelineOf(id)?.status === 'ready') {
      rows.askForMembers(id);
      return Promise.resolve();
    }
    const running = opening.get(id);
    if (running) return running;
    const task = (async () => {
      if (!(await restore(id))) return loadNewest(id, limit);
      cursors.arrived(id);
      // Stored messages may be outdated. The update runs in the background.
      void catchUp(id);
      rows.askForMembers(id);
    })().finally(() => opening.delete(id));
    opening.set(id, task);
    return task;
  };

  const loadOlder = async (id: string, limit = pageSize): Promise<void> => {
    const timeline = timelineOf(id);
    const first = timeline?.messages[0];
    if (!timeline?.hasOlder || timeline.loadingOlder || !first) return;
    patch((state) => withTimeline(state, id, (current) => ({ ...current, loadingOlder: true })));
    try {
      const page = await api.listMessages(id, { before: first.seq, limit });
      learn(page.items);
      patch((state) =>
        withTimeline(state, id, (current) => withOlderPage(current, page.items, page.nextCursor !== null)),
      );
    } catch (error) {
      patch((state) => withTimeline(state, id, (current) => ({ ...current, loadingOlder: false })));
      throw error;
    }
  };

  /** Loads as many messages of a conversation as the device stores, and updates them. */
  const loadKept = async (id: string): Promise<void> => {
    await openTimeline(id, keptPageSize);
    if (isBehind(id)) await catchUp(id);
    for (let pages = 0; pages < offlineChatLimits.messages / pageSize; pages++) {
      const timeline = timelineOf(id);
      if (!timeline?.hasOlder || timeline.loadingOlder || timeline.messages.length >= offlineChatLimits.messages)
        return;
      await loadOlder(id, keptPageSize);
    }
  };

  return { loadNewest, openTimeline, loadOlder, loadKept };
}
