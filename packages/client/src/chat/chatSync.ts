import type { Message } from '@nolo/api';
import { createRefreshRetry } from './refreshRetry.ts';
import { createCatchUp } from './catchUp.ts';
import type { ChatCore } from './chatCore.ts';
import { withReceivedMessage, withSenderNames, withTimeline } from './chatStore.ts';
import { createConversationRowLoader } from './conversationRowLoader.ts';
import type { ReceiptSender } from './receiptSender.ts';
import { createConversationListSync } from './conversationListSync.ts';
import { createTimelineLoading } from './timelineLoading.ts';

export type ChatSync = ReturnType<typeof createChatSync>;

/** Loads conversations and messages, and fetches missed changes after every disconnect. */
export function createChatSync(core: ChatCore, cursors: ReceiptSender) {
  const { device, failureOf, patch, store, timers, watchers } = core;
  const timelineOf = (id: string) => store.getState().timelines[id];

  /** Stores the names of senders, and tells those who watch messages. */
  const learn = (messages: readonly Message[]): void => {
    patch((state) => withSenderNames(state, messages));
    for (const watcher of watchers) watcher.onMessages(messages);
  };

  const retry = createRefreshRetry({ timers, failureOf, refresh: () => void list.resync() });
  const rows = createConversationRowLoader(core, retry);
  const { catchUp, isBehind } = createCatchUp(core, { retry, rows, learn, loadNewest: (id) => loading.loadNewest(id) });
  const loading = createTimelineLoading(core, { cursors, rows, learn, catchUp, isBehind });
  const list = createConversationListSync(core, { cursors, retry, rows, catchUp, isBehind });

  const receive = (message: Message): void => {
    const { change, missing } = withReceivedMessage(store.getState(), message);
    store.setState(change);
    for (const watcher of watchers) watcher.onMessages([message]);
    if (missing) void catchUp(message.conversationId);
    if (message.hidden) rows.askForLast(message.conversationId);
  };

  return {
    bring: rows.bring,
    loadRow: rows.loadRow,
    forget: rows.forget,
    learn,
    receive,
    /** Deletes the stored messages of a conversation, unless a loaded timeline will replace them. */
    dropKept(id: string): void {
      if (!timelineOf(id)) device?.removeChat(id).catch(() => {});
    },
    openTimeline: loading.openTimeline,
    loadOlder: loading.loadOlder,
    loadKept: loading.loadKept,
    isBehind,
    resync: list.resync,
    /** Loads the next page of the conversation list. */
    loadMore: list.loadMore,
    /** Returns true if a loaded timeline has all changes before this one, but not this one. */
    isNext(id: string, changeSeq: number): boolean {
      const timeline = timelineOf(id);
      return timeline?.status === 'ready' && changeSeq === timeline.changeSeq + 1;
    },
    /**
     * Records `changes` changes ending at `changeSeq`; 0 if their content is not known. If they do not follow a loaded
     * timeline directly, some were missed.
     */
    inOrder(id: string, changeSeq: number, changes = 1): void {
      const timeline = timelineOf(id);
      if (timeline?.status !== 'ready' || changeSeq <= timeline.changeSeq) return;
      if (changeSeq > timeline.changeSeq + changes) void catchUp(id);
      else patch((state) => withTimeline(state, id, (current) => ({ ...current, changeSeq })));
    },
    stop: () => retry.stop(),
  };
}
