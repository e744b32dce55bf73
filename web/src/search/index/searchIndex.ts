import { blockLength, described, partOf, withMessages, withoutWords } from './blocks.ts';
import { openBlocks } from './heldBlocks.ts';
import { answer } from './messageIndex.ts';
import type { Answer, Block, Question, SearchedMessage, SearchMark, SearchStore } from './searchPorts.ts';

export interface SearchStatus {
  /** Indexed messages by conversation. */
  readonly held: Readonly<Record<string, readonly Pick<Block, 'part' | 'held' | 'bytes'>[]>>;
  readonly marks: readonly SearchMark[];
}

export type SearchIndex = Awaited<ReturnType<typeof openSearchIndex>>;

/** Groups messages by block. */
function byBlock(told: readonly SearchedMessage[]) {
  const groups = new Map<string, { conversationId: string; part: number; messages: SearchedMessage[] }>();
  for (const message of told) {
    const { conversationId, seq } = message;
    const part = partOf(seq);
    const key = `${conversationId} ${part}`;
    const group = groups.get(key);
    if (group) group.messages.push(message);
    else groups.set(key, { conversationId, part, messages: [message] });
  }
  return [...groups.values()];
}

/** Opens the message index of a device. Only one call may run at a time. */
export async function openSearchIndex(store: SearchStore, now: () => number) {
  const kept = await store.read();
  const marks = new Map(kept.marks.map((mark) => [mark.conversationId, mark]));
  const held = await openBlocks(store, kept);

  const putMark = async (mark: SearchMark): Promise<void> => {
    await store.write({ marks: [mark] });
    marks.set(mark.conversationId, mark);
  };

  return {
    /** Indexes messages, each unless a newer state is known. */
    async learn(told: readonly SearchedMessage[]): Promise<void> {
      const groups = byBlock(told).map((group) => ({ ...group, id: held.idOf(group.conversationId, group.part) }));
      const ids = groups.flatMap(({ id }) => id ?? []);
      const known = new Map((await held.read(ids)).map((text, place) => [ids[place], text.messages]));
      let wordsGone = false;
      const changed = groups.flatMap(({ id, conversationId, part, messages }) => {
        const next = withMessages((id !== undefined && known.get(id)) || [], messages);
        if (!next) return [];
        wordsGone ||= next.wordsGone;
        const block = described({ id: id ?? held.newId(), conversationId, part }, next.messages);
        return [{ block, messages: next.messages }];
      });
      await held.change(changed, wordsGone);
    },
    /** Removes the text of messages in a conversation up to this one. */
    async clear(conversationId: string, clearedSeq: number): Promise<void> {
      const wanted = held.ofConversation(conversationId).filter(({ part }) => part * blockLength <= clearedSeq);
      await held.alter(wanted, (message) =>
        message.seq <= clearedSeq && message.kind !== 'none' ? withoutWords(message) : message,
      );
    },
    /** Hides a message from the user. */
    async hide(conversationId: string, seq: number): Promise<void> {
      const wanted = held.ofConversation(conversationId).filter(({ part }) => part === partOf(seq));
      await held.alter(wanted, (message) =>
        message.seq === seq && message.kind !== 'none' ? withoutWords(message) : message,
      );
    },
    /** Removes a conversation that the user is no longer in. */
    async forget(conversationId: string): Promise<void> {
      if (held.ofConversation(conversationId).length === 0 && !marks.has(conversationId)) return;
      await held.remove(conversationId);
      marks.delete(conversationId);
    },
    /** Removes expired text. Resolves to the time of the next expiry, or null. */
    async expire(): Promise<number | null> {
      const due = held.all().filter(({ nextExpiry }) => nextExpiry !== null && nextExpiry <= now());
      await held.alter(due, (message) =>
        message.expiresAt !== null && message.expiresAt <= now() ? withoutWords(message) : message,
      );
      const next = held.all().reduce((least, { nextExpiry }) => Math.min(least, nextExpiry ?? Infinity), Infinity);
      return next === Infinity ? null : next;
    },
    /**
     * Advances a conversation's indexed messages from change `from` to `to`. Without a mark, all its indexed messages
     * have just been loaded.
     */
    async advance(conversationId: string, from: number | null, to: number): Promise<void> {
      const known = marks.get(conversationId);
      if (known && (from === null || from > known.changeSeq || to <= known.changeSeq)) return;
      await putMark({ conversationId, first: null, ...known, changeSeq: to });
    },
    /** Marks the first message that the server provides. */
    begins: (conversationId: string, first: number): Promise<void> =>
      putMark({ changeSeq: 0, ...marks.get(conversationId), conversationId, first }),
    /** Rewrites the index if enough has changed. */
    async settleMany(): Promise<void> {
      if (held.isWorthWriting()) await held.writeIndex();
    },
    /** Rewrites the index also if it contains removed text, which must not stay on disk. */
    async settle(): Promise<void> {
      if (held.isOutdated() || held.isWorthWriting()) await held.writeIndex();
    },
    ask: (question: Question): Promise<Answer> =>
      answer({ terms: held.terms(), blocks: held.blocks, read: held.read, now }, question),
    status(): SearchStatus {
      const parts: Record<string, Pick<Block, 'part' | 'held' | 'bytes'>[]> = {};
      for (const { conversationId, part, held: bits, bytes } of held.blocks.values()) {
        (parts[conversationId] ??= []).push({ part, held: bits, bytes });
      }
      return { held: parts, marks: [...marks.values()] };
    },
  };
}
