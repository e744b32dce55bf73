import { blockLength, describeBlock, toBlockNumber, mergeBlockMessages, withoutText } from './blocks.ts';
import { openSearchBlocks } from './searchBlocks.ts';
import { answerSearch } from './messageIndex.ts';
import type {
  SearchAnswer,
  SearchBlock,
  SearchQuestion,
  IndexableMessage,
  SearchCheckpoint,
  SearchIndexStore,
} from './searchPorts.ts';

export interface SearchIndexStatus {
  /** Indexed messages by conversation. */
  readonly held: Readonly<Record<string, readonly Pick<SearchBlock, 'part' | 'held' | 'bytes'>[]>>;
  readonly checkpoints: readonly SearchCheckpoint[];
}

export type SearchIndex = Awaited<ReturnType<typeof openSearchIndex>>;

function byBlock(received: readonly IndexableMessage[]) {
  const groups = new Map<string, { conversationId: string; part: number; messages: IndexableMessage[] }>();
  for (const message of received) {
    const { conversationId, seq } = message;
    const part = toBlockNumber(seq);
    const key = `${conversationId} ${part}`;
    const group = groups.get(key);
    if (group) group.messages.push(message);
    else groups.set(key, { conversationId, part, messages: [message] });
  }
  return [...groups.values()];
}

/** Opens the message index of a device. Only one call may run at a time. */
export async function openSearchIndex(store: SearchIndexStore, now: () => number) {
  const kept = await store.read();
  const checkpoints = new Map(kept.checkpoints.map((checkpoint) => [checkpoint.conversationId, checkpoint]));
  const held = await openSearchBlocks(store, kept);

  const putCheckpoint = async (checkpoint: SearchCheckpoint): Promise<void> => {
    await store.write({ checkpoints: [checkpoint] });
    checkpoints.set(checkpoint.conversationId, checkpoint);
  };

  return {
    /** Indexes messages, each unless a newer state is known. */
    async learn(received: readonly IndexableMessage[]): Promise<void> {
      const groups = byBlock(received).map((group) => ({ ...group, id: held.idOf(group.conversationId, group.part) }));
      const ids = groups.flatMap(({ id }) => id ?? []);
      const known = new Map((await held.read(ids)).map((text, place) => [ids[place], text.messages]));
      let wordsGone = false;
      const changed = groups.flatMap(({ id, conversationId, part, messages }) => {
        const next = mergeBlockMessages((id !== undefined && known.get(id)) || [], messages);
        if (!next) return [];
        wordsGone ||= next.wordsGone;
        const block = describeBlock({ id: id ?? held.newId(), conversationId, part }, next.messages);
        return [{ block, messages: next.messages }];
      });
      await held.change(changed, wordsGone);
    },
    /** Removes the text of messages in a conversation up to this one. */
    async clear(conversationId: string, clearedSeq: number): Promise<void> {
      const wanted = held.ofConversation(conversationId).filter(({ part }) => part * blockLength <= clearedSeq);
      await held.alter(wanted, (message) =>
        message.seq <= clearedSeq && message.kind !== 'none' ? withoutText(message) : message,
      );
    },
    async hide(conversationId: string, seq: number): Promise<void> {
      const wanted = held.ofConversation(conversationId).filter(({ part }) => part === toBlockNumber(seq));
      await held.alter(wanted, (message) =>
        message.seq === seq && message.kind !== 'none' ? withoutText(message) : message,
      );
    },
    /** Removes a conversation that the user is no longer in. */
    async forget(conversationId: string): Promise<void> {
      if (held.ofConversation(conversationId).length === 0 && !checkpoints.has(conversationId)) return;
      await held.remove(conversationId);
      checkpoints.delete(conversationId);
    },
    /** Removes expired text. Resolves to the time of the next expiry, or null. */
    async expire(): Promise<number | null> {
      const due = held.all().filter(({ nextExpiry }) => nextExpiry !== null && nextExpiry <= now());
      await held.alter(due, (message) =>
        message.expiresAt !== null && message.expiresAt <= now() ? withoutText(message) : message,
      );
      const next = held.all().reduce((least, { nextExpiry }) => Math.min(least, nextExpiry ?? Infinity), Infinity);
      return next === Infinity ? null : next;
    },
    /**
     * Advances a conversation's indexed messages from change `from` to `to`. Without a mark, all its indexed messages
     * have just been loaded.
     */
    async advance(conversationId: string, from: number | null, to: number): Promise<void> {
      const known = checkpoints.get(conversationId);
      if (known && (from === null || from > known.changeSeq || to <= known.changeSeq)) return;
      await putCheckpoint({ conversationId, first: null, ...known, changeSeq: to });
    },
    /** Marks the first message that the server provides. */
    begins: (conversationId: string, first: number): Promise<void> =>
      putCheckpoint({ changeSeq: 0, ...checkpoints.get(conversationId), conversationId, first }),
    /** Rewrites the index if enough has changed. */
    async settleMany(): Promise<void> {
      if (held.isWorthWriting()) await held.writeIndex();
    },
    /** Rewrites the index also if it contains removed text, which must not stay on disk. */
    async settle(): Promise<void> {
      if (held.isOutdated() || held.isWorthWriting()) await held.writeIndex();
    },
    search: (question: SearchQuestion): Promise<SearchAnswer> =>
      answerSearch({ terms: held.terms(), blocks: held.blocks, read: held.read, now }, question),
    status(): SearchIndexStatus {
      const heldBlocks: Record<string, Pick<SearchBlock, 'part' | 'held' | 'bytes'>[]> = {};
      for (const { conversationId, part, held: bits, bytes } of held.blocks.values()) {
        (heldBlocks[conversationId] ??= []).push({ part, held: bits, bytes });
      }
      return { held: heldBlocks, checkpoints: [...checkpoints.values()] };
    },
  };
}
