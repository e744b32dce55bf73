import type { Message } from '@nolo/api';
import { createRetry } from '../../api/retry.ts';
import { createCatchUp } from './catchUp.ts';
import type { ChatCore } from './chatCore.ts';
import { withReceivedMessage, withSenders, withTimeline } from './chatStore.ts';
import { createConversationRows } from './conversationRows.ts';
import type { Cursors } from './cursors.ts';
import { createListSync } from './listSync.ts';
import { createTimelineLoading } from './timelineLoading.ts';

export type ChatSync = ReturnType<typeof createChatSync>;

/** Loads conversations and messages, and asks after every break for what was missed. */
export function createChatSync(core: ChatCore, cursors: Cursors) {
  const { device, failureOf, names, patch, store, timers, watchers } = core;
  const timelineOf = (id: string) => store.getState().timelines[id];

  /** Who wrote messages, and whom they tell of, is known by name from here on. */
  const learn = (messages: readonly Message[]): void => {
    patch((state) => withSenders(state, messages));
    names.wantFor(messages);
    for (const watcher of watchers) watcher.onMessages(messages);
  };

  const retry = createRetry({ timers, failureOf, ask: () => void list.resync() });
  const rows = createConversationRows(core, retry);
  const { catchUp, isBehind } = createCatchUp(core, { retry, rows, learn, loadNewest: (id) => loading.loadNewest(id) });
  const loading = createTimelineLoading(core, { cursors, rows, learn, catchUp, isBehind });
  const list = createListSync(core, { cursors, retry, rows, catchUp, isBehind });

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
    /** What the device keeps of a conversation goes, where nothing that is newer here would replace it. */
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
    /** Whether a loaded timeline has everything before this change, and not the change itself. */
    isNext(id: string, changeSeq: number): boolean {
      const timeline = timelineOf(id);
      return timeline?.status === 'ready' && changeSeq === timeline.changeSeq + 1;
    },
    /** Takes note of a change, or of so many at once; where they are not the next of a loaded timeline, something was missed. */
    inOrder(id: string, changeSeq: number, changes = 1): void {
      const timeline = timelineOf(id);
      if (timeline?.status !== 'ready' || changeSeq <= timeline.changeSeq) return;
      if (changeSeq > timeline.changeSeq + changes) void catchUp(id);
      else patch((state) => withTimeline(state, id, (current) => ({ ...current, changeSeq })));
    },
    stop: () => retry.stop(),
  };
}
