import type { Message } from '@nolo/api';
import type { ChatState } from './state.ts';
import type { ChatCore } from './chatCore.ts';
import { hasSeq } from './window.ts';

const maxOriginalsPerConversation = 200;

export function withQuotedMessage(
  state: ChatState,
  conversationId: string,
  seq: number,
  message: Message | null,
): Partial<ChatState> {
  const known = Object.entries(state.originals[conversationId] ?? {});
  const kept = Object.fromEntries(known.slice(-maxOriginalsPerConversation + 1));
  return { originals: { ...state.originals, [conversationId]: { ...kept, [seq]: message } } };
}

/** Returns the message that a reply quotes, or undefined while unknown. */
export function findQuotedMessage(state: ChatState, conversationId: string, seq: number): Message | null | undefined {
  const timeline = state.timelines[conversationId]?.messages ?? [];
  if (hasSeq(timeline, seq)) return timeline[seq - (timeline[0]?.seq ?? 0)];
  const window = state.windows[conversationId]?.messages ?? [];
  if (hasSeq(window, seq)) return window[seq - (window[0]?.seq ?? 0)];
  return state.originals[conversationId]?.[seq];
}

/** Fetches quoted messages, each once and one at a time. */
export function createQuotedMessageLoader({ api, failureOf, patch, store }: ChatCore) {
  const requestedKeys = new Set<string>();
  let tail: Promise<unknown> = Promise.resolve();

  const requestOriginal = async (conversationId: string, seq: number): Promise<void> => {
    const name = `${conversationId} ${seq}`;
    if (findQuotedMessage(store.getState(), conversationId, seq) !== undefined) return void requestedKeys.delete(name);
    try {
      const { items } = await api.listMessages(conversationId, { before: seq + 1, limit: 1 });
      const found = items.find((message) => message.seq === seq) ?? null;
      patch((state) => withQuotedMessage(state, conversationId, seq, found));
    } catch (error) {
      // The original is requested again when the reply next appears on the screen after a lost connection.
      if (!failureOf(error).passing) patch((state) => withQuotedMessage(state, conversationId, seq, null));
    } finally {
      requestedKeys.delete(name);
    }
  };
  return {
    /** Requests the original of a reply that is on the screen. */
    wantOriginal(conversationId: string, seq: number): void {
      const name = `${conversationId} ${seq}`;
      if (requestedKeys.has(name) || findQuotedMessage(store.getState(), conversationId, seq) !== undefined) return;
      requestedKeys.add(name);
      tail = tail.then(() => requestOriginal(conversationId, seq));
    },
  };
}
