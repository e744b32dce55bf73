import { blockKey, blockLength, described, partOf, textOf, termsOf, withMessages, withoutWords } from './blocks.ts';
import type { BlockText } from './blocks.ts';
import { answer } from './messageIndex.ts';
import type { Answer, Block, BlockMessage, Question, SearchedMessage, SearchMark, SearchStore } from './searchPorts.ts';
import { openTerms, withBlocks } from './termIndex.ts';

/** So many blocks are held in memory with their text. */
const mostInMemory = 2_000;
/** The index is written anew once so many blocks, and such a part of all, have changed. */
const writeAt = { blocks: 64, part: 1 / 8 };

export interface SearchStatus {
  /** Messages whose place is here, by conversation. */
  readonly held: Readonly<Record<string, readonly Pick<Block, 'part' | 'held' | 'bytes'>[]>>;
  readonly marks: readonly SearchMark[];
}

export type SearchIndex = Awaited<ReturnType<typeof openSearchIndex>>;

/** The messages of a device, for being searched. One call at a time. */
export async function openSearchIndex(store: SearchStore, now: () => number = Date.now) {
  const kept = await store.read();
  const blocks = new Map(kept.blocks.map((block) => [block.id, block]));
  const byKey = new Map(kept.blocks.map((block) => [blockKey(block.conversationId, block.part), block.id]));
  const marks = new Map(kept.marks.map((mark) => [mark.conversationId, mark]));
  const fresh = new Map<number, ReadonlySet<string>>();
  const texts = new Map<number, BlockText>();
  let index = openTerms(kept.index);
  let bytes = kept.index?.length ?? 0;
  let nextId = Math.max(0, ...blocks.keys()) + 1;
  /** Words went that the index still has. */
  let outdated = false;

  const remember = (id: number, text: BlockText): void => {
    texts.delete(id);
    texts.set(id, text);
    for (const oldest of texts.keys()) {
      if (texts.size <= mostInMemory) break;
      texts.delete(oldest);
    }
  };
  const read = async (ids: readonly number[]): Promise<readonly BlockText[]> => {
    const missing = ids.filter((id) => !texts.has(id));
    const messages = missing.length > 0 ? await store.readMessages(missing) : [];
    const loaded = new Map(missing.map((id, place) => [id, textOf(messages[place] ?? [])]));
    return ids.map((id) => {
      const text = loaded.get(id) ?? texts.get(id) ?? textOf([]);
      remember(id, text);
      return text;
    });
  };

  /** What changed is written to the disk first, and then counts here. */
  const change = async (changed: readonly { block: Block; messages: readonly BlockMessage[] }[]): Promise<void> => {
    if (changed.length === 0) return;
    await store.write({ blocks: changed });
    for (const { block, messages } of changed) {
      const text = textOf(messages);
      blocks.set(block.id, block);
      byKey.set(blockKey(block.conversationId, block.part), block.id);
      fresh.set(block.id, termsOf(text));
      remember(block.id, text);
    }
  };

  /** Changes all messages of blocks. */
  const changeBlocks = async (
    wanted: readonly Block[],
    alter: (message: BlockMessage, block: Block) => BlockMessage,
  ): Promise<void> => {
    const held = await read(wanted.map(({ id }) => id));
    const changed = wanted.flatMap((block, place) => {
      const before = held[place]?.messages ?? [];
      const messages = before.map((message) => alter(message, block));
      if (messages.every((message, at) => message === before[at])) return [];
      return [{ block: described(block, messages), messages }];
    });
    if (changed.length > 0) outdated = true;
    await change(changed);
  };

  const writeIndex = async (): Promise<void> => {
    const written = withBlocks(index, fresh);
    const settled = [...fresh.keys()]
      .flatMap((id) => blocks.get(id) ?? [])
      .map((block) => ({ ...block, fresh: false }));
    await store.write({ index: written, blocks: settled.map((block) => ({ block })) });
    for (const block of settled) blocks.set(block.id, block);
    fresh.clear();
    outdated = false;
    index = openTerms(written);
    bytes = written.length;
  };

  const ofConversation = (id: string): Block[] =>
    [...blocks.values()].filter(({ conversationId }) => conversationId === id);

  const freshAtStart = [...blocks.values()].filter((block) => block.fresh).map(({ id }) => id);
  for (const [place, text] of (await read(freshAtStart)).entries()) {
    fresh.set(freshAtStart[place] ?? 0, termsOf(text));
  }
  // What went before the last visit ended may be in the index yet.
  outdated = fresh.size > 0;

  return {
    /** Takes messages in, each unless a newer state of it is known. */
    async learn(told: readonly SearchedMessage[]): Promise<void> {
      const groups = new Map<string, SearchedMessage[]>();
      for (const message of told) {
        const key = blockKey(message.conversationId, partOf(message.seq));
        const group = groups.get(key);
        if (group) group.push(message);
        else groups.set(key, [message]);
      }
      const places = [...groups].map(([key, messages]) => ({ id: byKey.get(key), messages }));
      const knownIds = places.flatMap(({ id }) => id ?? []);
      const held = new Map((await read(knownIds)).map((text, place) => [knownIds[place], text.messages]));
      let gone = false;
      const changed = places.flatMap(({ id, messages }) => {
        const next = withMessages((id !== undefined && held.get(id)) || [], messages);
        const [first] = messages;
        if (!next || !first) return [];
        gone ||= next.wordsGone;
        const place = { id: id ?? nextId++, conversationId: first.conversationId, part: partOf(first.seq) };
        return [{ block: described(place, next.messages), messages: next.messages }];
      });
      await change(changed);
      outdated ||= gone;
    },
    /** What was said in a conversation up to this message went. */
    async clear(conversationId: string, clearedSeq: number): Promise<void> {
      const wanted = ofConversation(conversationId).filter(({ part }) => part * blockLength <= clearedSeq);
      await changeBlocks(wanted, (message) =>
        message.seq <= clearedSeq && message.kind !== 'none' ? withoutWords(message) : message,
      );
    },
    /** A message is hidden from oneself. */
    async hide(conversationId: string, seq: number): Promise<void> {
      const wanted = ofConversation(conversationId).filter(({ part }) => part === partOf(seq));
      await changeBlocks(wanted, (message) =>
        message.seq === seq && message.kind !== 'none' ? withoutWords(message) : message,
      );
    },
    /** One is in this conversation no longer. */
    async forget(conversationId: string): Promise<void> {
      const removed = ofConversation(conversationId).map(({ id, part }) => ({ id, part }));
      if (removed.length === 0 && !marks.has(conversationId)) return;
      // With its words: once the blocks are gone, nothing else says that they are in the index.
      const written = withBlocks(index, new Map(removed.map(({ id }) => [id, new Set<string>()])));
      await store.write({ removed: removed.map(({ id }) => id), removedMarks: [conversationId], index: written });
      marks.delete(conversationId);
      for (const { id, part } of removed) {
        blocks.delete(id);
        byKey.delete(blockKey(conversationId, part));
        texts.delete(id);
        fresh.delete(id);
      }
      index = openTerms(written);
      bytes = written.length;
    },
    /** Takes out what has disappeared. Answers when the next message does, or null. */
    async expire(): Promise<number | null> {
      const due = [...blocks.values()].filter(({ nextExpiry }) => nextExpiry !== null && nextExpiry <= now());
      await changeBlocks(due, (message) =>
        message.expiresAt !== null && message.expiresAt <= now() ? withoutWords(message) : message,
      );
      const next = Math.min(...[...blocks.values()].map(({ nextExpiry }) => nextExpiry ?? Infinity));
      return next === Infinity ? null : next;
    },
    /**
     * What is here of a conversation is as it was at change `to`, where it was at change `from`; of one without a mark all
     * that is here has just been loaded.
     */
    async advance(conversationId: string, from: number | null, to: number): Promise<void> {
      const known = marks.get(conversationId);
      if (known && (from === null || from > known.changeSeq || to <= known.changeSeq)) return;
      const mark = { conversationId, first: null, ...known, changeSeq: to };
      await store.write({ marks: [mark] });
      marks.set(conversationId, mark);
    },
    /** The server gives nothing before this message. */
    async begins(conversationId: string, first: number): Promise<void> {
      const mark = { changeSeq: 0, ...marks.get(conversationId), conversationId, first };
      await store.write({ marks: [mark] });
      marks.set(conversationId, mark);
    },
    /** Writes the index anew where so much has changed that it is worth it. */
    async settleMany(): Promise<void> {
      if (fresh.size >= Math.max(writeAt.blocks, blocks.size * writeAt.part)) await writeIndex();
    },
    /** The same where it has words that went: they are not to stay on the disk. */
    async settle(): Promise<void> {
      if (outdated) await writeIndex();
      else await this.settleMany();
    },
    ask: (question: Question): Promise<Answer> => answer({ terms: { index, fresh }, blocks, read, now }, question),
    status(): SearchStatus {
      const held: Record<string, Pick<Block, 'part' | 'held' | 'bytes'>[]> = {};
      for (const { conversationId, part, held: bits, bytes: size } of blocks.values()) {
        (held[conversationId] ??= []).push({ part, held: bits, bytes: size });
      }
      return { held, marks: [...marks.values()] };
    },
    /** The bytes of the index, with what is known of the blocks as JSON. */
    size: () => bytes + JSON.stringify([...blocks.values()]).length,
  };
}
