import type { Conversation, Message } from '@nolo/api';
import type { ChatCore } from '@nolo/client/chat/chatCore';
import type { ChatState } from '@nolo/client/chat/state';
import { toIndexableMessages } from './toIndexableMessage.ts';
import type { SearchClient } from './searchClient.ts';

/** Milliseconds during which messages are collected, so that a burst costs one write. */
const handOnAfterMs = 400;
const maxBatchSize = 100;

/**
 * Passes messages from the app to the search while it runs, and calls `onMissed` if the app may have missed changes.
 * Returns a function that stops it.
 */
export function feedSearchIndex(
  { store, timers, watchers }: ChatCore,
  client: Pick<SearchClient, 'sendUpdate'>,
  onMissed: () => void,
): () => void {
  let messages: Message[] = [];
  /** Range of changes by which each conversation advanced and which is passed on. */
  const advances = new Map<string, { from: number | null; to: number }>();
  /** Conversations whose next advance would include changes that the app did not see. */
  const skipped = new Set<string>();
  let cancel: (() => void) | null = null;

  const handOn = (): void => {
    cancel = null;
    const now = messages.splice(0, maxBatchSize);
    if (now.length > 0) client.sendUpdate({ type: 'learn', messages: toIndexableMessages(now) });
    // The rest runs in a separate task, so that the page stays responsive.
    if (messages.length > 0) return void (cancel = timers.after(0, handOn));
    for (const [conversationId, { from, to }] of advances)
      client.sendUpdate({ type: 'advance', conversationId, from, to });
    advances.clear();
  };
  const handOnLater = (): void => void (cancel ??= timers.after(handOnAfterMs, handOn));
  const learn = (received: readonly Message[]): void => {
    messages.push(...received);
    handOnLater();
  };
  const advance = (id: string, from: number | null, to: number): void => {
    if (skipped.delete(id)) return;
    advances.set(id, { from: advances.get(id)?.from ?? from, to });
    handOnLater();
  };

  const indexRowChanges = (rows: ChatState['conversations'], before: ChatState['conversations']): void => {
    for (const [conversationId, known] of Object.entries(before)) {
      const row: Conversation | undefined = rows[conversationId];
      if (row === known) continue;
      // Messages not passed on yet are removed too.
      if (!row || row.clearedSeq > known.clearedSeq)
        messages = messages.filter((one) => one.conversationId !== conversationId || (row && one.seq > row.clearedSeq));
      if (!row) client.sendUpdate({ type: 'forget', conversationId });
      else if (row.clearedSeq > known.clearedSeq) {
        client.sendUpdate({ type: 'clear', conversationId, clearedSeq: row.clearedSeq });
      }
    }
  };
  const indexChanges = (state: ChatState, before: ChatState): void => {
    // The app missed changes of unloaded conversations while disconnected.
    if (state.connection === 'open' && before.connection !== 'open') onMissed();
    if (state.conversations !== before.conversations) indexRowChanges(state.conversations, before.conversations);
    if (state.timelines === before.timelines) return;
    for (const [id, timeline] of Object.entries(state.timelines)) {
      const known = before.timelines[id];
      if (timeline === known || timeline.status !== 'ready') continue;
      if (known?.status !== 'ready') {
        // Messages come from the device, or from the server and were already passed on.
        learn(timeline.messages);
        advance(id, null, timeline.changeSeq);
      } else if (timeline.changeSeq > known.changeSeq) advance(id, known.changeSeq, timeline.changeSeq);
    }
  };

  const watcher = {
    onMessages: learn,
    onHidden: (conversationId: string, seq: number) => client.sendUpdate({ type: 'hide', conversationId, seq }),
    onSkipped(conversationId: string): void {
      skipped.add(conversationId);
      advances.delete(conversationId);
      onMissed();
    },
  };
  watchers.add(watcher);
  const unsubscribe = store.subscribe(indexChanges);
  for (const [id, timeline] of Object.entries(store.getState().timelines)) {
    if (timeline.status !== 'ready') continue;
    learn(timeline.messages);
    advance(id, null, timeline.changeSeq);
  }
  return () => {
    watchers.delete(watcher);
    unsubscribe();
    cancel?.();
  };
}
