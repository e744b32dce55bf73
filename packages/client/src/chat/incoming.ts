import type { Message } from '@nolo/api';
import type { ChatEngine } from './chatEngine.ts';
import { lastActivityOf } from './chatStore.ts';
import { findKnownMessage } from './hiding.ts';
import type { OfflineChats } from './ports.ts';
import { approverOf, openingOf, type StoredMessage } from './rowOpening.ts';
import { isSealed } from './sealedRows.ts';

/** Milliseconds before messages that could not be loaded are requested again. */
const retryMs = 5_000;

/** Returns true if a message waits for the key of its epoch, which may arrive much later, or never. */
const lacksKey = (message: StoredMessage): boolean => openingOf(message)?.state === 'waiting';

/** Returns true if a message is open, or needs no opening. Late messages are not reported. */
function isReadable(message: StoredMessage): boolean {
  const opening = openingOf(message);
  return !isSealed(message) && !(opening?.state === 'open' && opening.late);
}

/**
 * Calls back with every message from others, in order and once, also with those that arrived while the connection was
 * down or, with stored chats, while the program was not running. Sealed messages come when they are open, those whose
 * key arrives later after newer ones. Returns a function that ends it.
 */
export function followIncomingMessages(
  { internals: { core, sync }, socket, store }: ChatEngine,
  kept: OfflineChats | undefined,
  listener: (message: Message) => void,
): () => void {
  const { selfId, timers } = core;
  const startedAt = timers.now();
  /** Highest seq handled, by conversation. */
  const upTo = new Map((kept?.rows ?? []).map(({ id, lastSeq }) => [id, lastSeq]));
  const loading = new Set<string>();
  /** Messages that wait for their key, by conversation. */
  const withoutKey = new Map<string, Set<number>>();
  let stopped = false;

  const hand = (message: Message): void => {
    // The user has read what they approved.
    if (message.senderId === selfId || approverOf(message) === selfId) return;
    if (message.deletedAt !== null || message.hidden) return;
    if (lacksKey(message)) {
      const seqs = withoutKey.get(message.conversationId) ?? new Set();
      withoutKey.set(message.conversationId, seqs.add(message.seq));
      return;
    }
    if (!isReadable(message)) return;
    // An error of the listener must not stop the engine.
    queueMicrotask(() => {
      if (!stopped) listener(message);
    });
  };

  /** Hands over what follows the last handled message, up to one that is being opened. */
  const handNext = (id: string, messages: readonly StoredMessage[]): void => {
    for (const message of messages) {
      if (message.seq <= (upTo.get(id) ?? 0)) continue;
      if (openingOf(message)?.state === 'closed' && !message.hidden) return;
      upTo.set(id, message.seq);
      hand(message);
    }
  };

  /** Hands over messages whose key has arrived. */
  const handHealed = (id: string): void => {
    const seqs = withoutKey.get(id);
    for (const seq of seqs ?? []) {
      const message = findKnownMessage(store.getState(), id, seq);
      if (message && !lacksKey(message) && openingOf(message)?.state !== 'closed' && seqs?.delete(seq)) hand(message);
    }
  };

  const load = (id: string, task: () => Promise<void>): void => {
    if (loading.has(id)) return;
    loading.add(id);
    const again = (): void => {
      loading.delete(id);
      if (!stopped) advance(id);
    };
    task().then(again, () => timers.after(retryMs, again));
  };

  /** Hands over what is known of a conversation beyond the last handled message, and loads what is missing. */
  const advance = (id: string): void => {
    const { conversations, list, timelines } = store.getState();
    const [row, timeline] = [conversations[id], timelines[id]];
    if (!row) return;
    let from = upTo.get(id);
    if (from === undefined) {
      // Messages of the first list are not incoming. Later conversations begin at their first unread message.
      const isEarlier = list !== 'ready' || Date.parse(lastActivityOf(row)) < startedAt;
      from = isEarlier ? row.lastSeq : row.readSeq;
      upTo.set(id, from);
    }
    if (row.lastSeq <= from) return;
    const { lastMessage } = row;
    if (lastMessage?.seq === from + 1 && row.lastSeq === from + 1) return handNext(id, [lastMessage]);
    if (timeline?.status !== 'ready') return load(id, () => sync.openTimeline(id));
    const first = timeline.messages[0];
    if (first && first.seq > from + 1 && timeline.hasOlder) return load(id, () => sync.loadOlder(id));
    handNext(id, timeline.messages);
  };

  const stopFrames = socket.subscribe('new_message', ({ conversationId, seq }) => {
    if (!upTo.has(conversationId)) upTo.set(conversationId, seq - 1);
  });
  const stopChanges = store.subscribe((state, before) => {
    if (state.conversations !== before.conversations || state.timelines !== before.timelines)
      for (const id of Object.keys(state.conversations))
        if (
          state.conversations[id] !== before.conversations[id] ||
          state.timelines[id]?.messages !== before.timelines[id]?.messages
        ) {
          handHealed(id);
          advance(id);
        }
  });
  for (const { conversationId, messages } of kept?.timelines ?? [])
    withoutKey.set(conversationId, new Set(messages.filter(lacksKey).map(({ seq }) => seq)));
  for (const id of Object.keys(store.getState().conversations)) advance(id);
  return () => {
    stopped = true;
    stopFrames();
    stopChanges();
  };
}
