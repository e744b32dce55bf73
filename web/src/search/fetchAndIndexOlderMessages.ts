import type { Conversation } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import type { ChatCore } from '@nolo/client/chat/chatCore';
import { blockLength, countMessages, hasMessage, toBlockNumber } from './index/blocks.ts';
import type { SearchIndexStatus } from './index/searchIndex.ts';
import { toIndexableMessages } from './toIndexableMessage.ts';
import type { SearchClient } from './searchClient.ts';
import type { SearchPace } from './pace.ts';

const pageSize = 100;
/** Milliseconds between two pages, so that user actions come first. */
const betweenMs = 150;
/** Milliseconds after a temporary rejection, unless the server specifies a delay. */
const retryAfterMs = 5_000;

export interface OlderMessagesFetchState {
  readonly state: 'idle' | 'running' | 'done' | 'failed';
  /** Number of indexed messages, out of `total`. */
  readonly held: number;
  readonly total: number;
}

export const createOlderMessagesFetchStore = () =>
  createStore<OlderMessagesFetchState>(() => ({ state: 'idle', held: 0, total: 0 }));

type Row = Pick<Conversation, 'id' | 'lastSeq' | 'clearedSeq' | 'changeSeq'>;

/** Missing messages of a conversation: which are indexed, and where the conversation begins. */
class Gaps {
  readonly row: Row;
  readonly hasCheckpoint: boolean;
  readonly #heldBlocks: ReadonlyMap<number, Pick<SearchIndexStatus['held'][string][number], 'held'>>;
  #first: number;
  /** First of the messages from which all up to the last are indexed. */
  #done: number;

  constructor(row: Row, status: SearchIndexStatus) {
    this.row = row;
    const checkpoint = status.checkpoints.find(({ conversationId }) => conversationId === row.id);
    this.hasCheckpoint = checkpoint !== undefined;
    this.#heldBlocks = new Map((status.held[row.id] ?? []).map((block) => [block.part, block]));
    this.#first = Math.max(row.clearedSeq + 1, checkpoint?.first ?? 1);
    this.#done = row.lastSeq + 1;
  }

  /** Counts the indexed messages and the total. */
  count(): { held: number; total: number } {
    let held = 0;
    for (const [blockNumber, block] of this.#heldBlocks) {
      const from = blockNumber * blockLength;
      if (from >= this.#first) held += countMessages(block);
      else for (let seq = this.#first; seq < from + blockLength; seq += 1) if (hasMessage(block, seq)) held += 1;
    }
    return { held, total: Math.max(0, this.row.lastSeq - this.#first + 1) };
  }

  /** Returns the newest missing message, or undefined. */
  next(): number | undefined {
    while (this.#done > this.#first && this.#has(this.#done - 1)) this.#done -= 1;
    return this.#done > this.#first ? this.#done - 1 : undefined;
  }

  /** Marks all messages from this one on as indexed. Returns how many of them were missing. */
  fill(from: number): number {
    let fresh = 0;
    for (let seq = from; seq < this.#done; seq += 1) if (!this.#has(seq)) fresh += 1;
    this.#done = Math.min(this.#done, from);
    return fresh;
  }

  /** Marks `first` as the oldest message. Returns by how much the estimate was too high. */
  begin(first: number): number {
    const fewer = Math.max(0, first - this.#first);
    this.#first += fewer;
    return fewer;
  }

  #has(seq: number): boolean {
    const block = this.#heldBlocks.get(toBlockNumber(seq));
    return seq >= this.#done || (block !== undefined && hasMessage(block, seq));
  }
}

interface Work {
  core: Pick<ChatCore, 'api' | 'failureOf' | 'openRows'>;
  client: Pick<SearchClient, 'sendUpdate' | 'status'>;
  pace: SearchPace;
  store: ReturnType<typeof createOlderMessagesFetchStore>;
}

async function listAll({ core, pace }: Work): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    await pace.waitUntilOnline();
    const page = await core.api.listConversations(cursor);
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

/** Retries with a delay while the server is busy or unreachable. */
async function insist<T>({ core, pace }: Work, request: () => Promise<T>): Promise<T> {
  for (;;) {
    await pace.waitUntilOnline();
    try {
      return await request();
    } catch (error) {
      const failure = core.failureOf(error);
      if (!failure.passing) throw error;
      await pace.rest(failure.retryAfterMs ?? retryAfterMs);
    }
  }
}

async function fill(work: Work, gaps: Gaps): Promise<void> {
  const { core, client, pace, store } = work;
  const { id, changeSeq } = gaps.row;
  let hasCheckpoint = gaps.hasCheckpoint;
  for (let missing = gaps.next(); missing !== undefined; missing = gaps.next()) {
    const before = missing + 1;
    const page = await insist(work, () => core.api.listMessages(id, { before, limit: pageSize }));
    const messages = await core.openRows(page.items);
    client.sendUpdate({ type: 'learn', messages: toIndexableMessages(messages) });
    const first = page.items[0]?.seq ?? before;
    const fresh = gaps.fill(first);
    const fewer = page.nextCursor === null ? gaps.begin(first) : 0;
    // The row was fetched before the page, so no change in between is missed.
    if (!hasCheckpoint) client.sendUpdate({ type: 'advance', conversationId: id, from: null, to: changeSeq });
    if (page.nextCursor === null) client.sendUpdate({ type: 'begins', conversationId: id, first });
    hasCheckpoint = true;
    store.setState(({ held, total }) => ({ held: held + fresh, total: total - fewer }));
    await pace.rest(betweenMs);
  }
}

/**
 * Loads and indexes all missing messages, latest conversations first. A restart continues where it stopped: indexed
 * messages are never requested again.
 */
export async function fetchAndIndexOlderMessages(work: Work): Promise<void> {
  const { client, core, store } = work;
  store.setState({ state: 'running', held: 0, total: 0 });
  const rows = await insist(work, () => listAll(work));
  const status = await client.status();
  const all = rows.map((row) => new Gaps(row, status));
  const counts = all.map((gaps) => gaps.count());
  const sum = (of: 'held' | 'total') => counts.reduce((so, count) => so + count[of], 0);
  store.setState({ held: sum('held'), total: sum('total') });
  for (const gaps of all) {
    try {
      await fill(work, gaps);
    } catch (error) {
      // The user left the conversation meanwhile.
      if (core.failureOf(error).code !== 'conversation_not_found') throw error;
    }
  }
  store.setState({ state: 'done' });
}
