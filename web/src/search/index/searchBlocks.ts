import { blockKey, describeBlock, toBlockText, termsOf, type BlockText } from './blocks.ts';
import type { IndexedTerms } from './candidates.ts';
import type { SearchBlock, BlockMessage, SearchIndexStore } from './searchPorts.ts';
import { decodeTermIndex, encodeTermIndexWithBlocks } from './termIndex.ts';

/** Maximum blocks in memory with their text. */
const maxBlocksInMemory = 2_000;
/** Minimum number and share of changed blocks for rewriting the index. */
const writeAt = { blocks: 64, part: 1 / 8 };

interface ChangedBlock {
  readonly block: SearchBlock;
  readonly messages: readonly BlockMessage[];
}

/** Caches the text of recently used blocks. */
function createTexts(store: SearchIndexStore) {
  const texts = new Map<number, BlockText>();
  const remember = (id: number, text: BlockText): void => {
    texts.delete(id);
    texts.set(id, text);
    for (const oldest of texts.keys()) {
      if (texts.size <= maxBlocksInMemory) break;
      texts.delete(oldest);
    }
  };
  return {
    remember,
    forget: (id: number) => texts.delete(id),
    async read(ids: readonly number[]): Promise<readonly BlockText[]> {
      const missing = ids.filter((id) => !texts.has(id));
      const messages = missing.length > 0 ? await store.readMessages(missing) : [];
      const loaded = new Map(missing.map((id, place) => [id, toBlockText(messages[place] ?? [])]));
      return ids.map((id) => {
        const text = loaded.get(id) ?? texts.get(id) ?? toBlockText([]);
        remember(id, text);
        return text;
      });
    },
  };
}

/** Opens the blocks of a device with their term index. Changes are written to disk before they take effect. */
export async function openSearchBlocks(store: SearchIndexStore, kept: Awaited<ReturnType<SearchIndexStore['read']>>) {
  const blocks = new Map(kept.blocks.map((block) => [block.id, block]));
  const byKey = new Map(kept.blocks.map((block) => [blockKey(block.conversationId, block.part), block.id]));
  const fresh = new Map<number, ReadonlySet<string>>();
  const texts = createTexts(store);
  let index = decodeTermIndex(kept.index);
  let lastId = Math.max(0, ...blocks.keys());

  const freshAtStart = kept.blocks.filter((block) => block.fresh).map(({ id }) => id);
  for (const [place, text] of (await texts.read(freshAtStart)).entries()) {
    fresh.set(freshAtStart[place] ?? 0, termsOf(text));
  }
  /** True if the index contains removed text, as it may for changes before the last session ended. */
  let outdated = fresh.size > 0;

  const change = async (changed: readonly ChangedBlock[], wordsGone: boolean): Promise<void> => {
    if (changed.length === 0) return;
    await store.write({ blocks: changed });
    outdated ||= wordsGone;
    for (const { block, messages } of changed) {
      const text = toBlockText(messages);
      blocks.set(block.id, block);
      byKey.set(blockKey(block.conversationId, block.part), block.id);
      fresh.set(block.id, termsOf(text));
      texts.remember(block.id, text);
    }
  };
  const all = (): SearchBlock[] => [...blocks.values()];

  return {
    all,
    read: texts.read,
    change,
    blocks: blocks as ReadonlyMap<number, SearchBlock>,
    terms: (): IndexedTerms => ({ index, fresh }),
    idOf: (conversationId: string, part: number) => byKey.get(blockKey(conversationId, part)),
    newId: () => (lastId += 1),
    ofConversation: (id: string): SearchBlock[] => all().filter(({ conversationId }) => conversationId === id),
    /** Changes messages of these blocks and removes text. */
    async alter(wanted: readonly SearchBlock[], alter: (message: BlockMessage) => BlockMessage): Promise<void> {
      const texts_ = await texts.read(wanted.map(({ id }) => id));
      const changed = wanted.flatMap((block, place) => {
        const before = texts_[place]?.messages ?? [];
        const messages = before.map(alter);
        if (messages.every((message, at) => message === before[at])) return [];
        return [{ block: describeBlock(block, messages), messages }];
      });
      await change(changed, true);
    },
    /**
     * Removes the blocks, the mark of their conversation, and their terms, because nothing else would record that those
     * are in the index.
     */
    async remove(conversationId: string): Promise<void> {
      const removed = all().filter((block) => block.conversationId === conversationId);
      const written = encodeTermIndexWithBlocks(index, new Map(removed.map(({ id }) => [id, new Set<string>()])));
      await store.write({ removed: removed.map(({ id }) => id), removedCheckpoints: [conversationId], index: written });
      for (const { id, part } of removed) {
        blocks.delete(id);
        byKey.delete(blockKey(conversationId, part));
        texts.forget(id);
        fresh.delete(id);
      }
      index = decodeTermIndex(written);
    },
    isOutdated: () => outdated,
    /** Returns true if enough has changed to rewrite the index. */
    isWorthWriting: () => fresh.size >= Math.max(writeAt.blocks, blocks.size * writeAt.part),
    async writeIndex(): Promise<void> {
      const written = encodeTermIndexWithBlocks(index, fresh);
      const settled = [...fresh.keys()]
        .flatMap((id) => blocks.get(id) ?? [])
        .map((block) => ({ ...block, fresh: false }));
      await store.write({ index: written, blocks: settled.map((block) => ({ block })) });
      for (const block of settled) blocks.set(block.id, block);
      fresh.clear();
      outdated = false;
      index = decodeTermIndex(written);
    },
  };
}
