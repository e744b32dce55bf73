import { findHighlights, forEachMatch, parseNeedles, type SearchNeedle } from '../../chat/words/text/needles.ts';
import { foldText } from '@nolo/rules';
import { stripMarkup } from '../../chat/words/text/toPlainExcerpt.ts';
import { findCandidateBlocks, expandNeedleWithSimilarWords, type IndexedTerms } from './candidates.ts';
import { findMessageAt, type BlockText } from './blocks.ts';
import { excerptOf } from './excerpt.ts';
import type {
  SearchAnswer,
  SearchBlock,
  BlockMessage,
  FoundMessage,
  SearchPosition,
  SearchQuestion,
  SearchFilter,
} from './searchPorts.ts';

/* Answers queries from blocks and terms. */

export interface IndexedBlocks {
  readonly terms: IndexedTerms;
  readonly blocks: ReadonlyMap<number, SearchBlock>;
  /** Returns the text of blocks, in the requested order. */
  read(blocks: readonly number[]): Promise<readonly BlockText[]>;
  now(): number;
}

/** Blocks read at once. Searches for common words need only the first of them. */
const readTogether = 16;

/** Order of results: newest first, then by stable criteria. */
function newerFirst(a: Omit<SearchPosition, 'exact'>, b: Omit<SearchPosition, 'exact'>): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.conversationId !== b.conversationId) return a.conversationId < b.conversationId ? -1 : 1;
  return b.seq - a.seq;
}

function suits({ conversationId, from, to }: SearchBlock, filter: SearchFilter): boolean {
  if (filter.conversationId !== undefined && filter.conversationId !== conversationId) return false;
  return (filter.from === undefined || to >= filter.from) && (filter.to === undefined || from < filter.to);
}

function isWanted(message: BlockMessage, filter: SearchFilter, now: number): boolean {
  if (message.kind === 'none' || (message.expiresAt !== null && message.expiresAt <= now)) return false;
  if (filter.kind !== undefined && filter.kind !== message.kind) return false;
  if (filter.senderId !== undefined && filter.senderId !== message.senderId) return false;
  return message.at >= (filter.from ?? 0) && message.at < (filter.to ?? Infinity);
}

/** Returns the indexes of messages in the block whose folded text contains every needle. */
function placesIn(text: BlockText, needles: readonly SearchNeedle[]): Set<number> {
  let all: Set<number> | undefined;
  for (const { spellings, spaced } of needles) {
    const places = new Set<number>();
    for (const spelling of spellings) {
      forEachMatch(text.folded, spelling, spaced, (start) => {
        const place = findMessageAt(text, start);
        if (all === undefined || all.has(place)) places.add(place);
        return true;
      });
    }
    all = places;
    if (places.size === 0) break;
  }
  return all ?? new Set(text.messages.keys());
}

function foundIn(
  block: SearchBlock,
  message: BlockMessage,
  needles: readonly SearchNeedle[],
  exact: boolean,
): FoundMessage | undefined {
  // Text is matched as displayed, without markup. A file name is matched unchanged.
  const text = message.kind === 'file' ? message.text : stripMarkup(message.text);
  const highlights = findHighlights(text, needles);
  if (!highlights) return undefined;
  const { conversationId } = block;
  const { seq, senderId, at, kind } = message;
  const words = [...new Set(highlights.map(([start, end]) => foldText(text.slice(start, end))))];
  return { conversationId, seq, senderId, at, kind, exact, words, ...excerptOf(text, highlights) };
}

interface Search {
  readonly needles: readonly SearchNeedle[];
  readonly exact: boolean;
  readonly filter: SearchFilter;
  readonly limit: number;
  readonly after: SearchPosition | undefined;
  /** Returns true if a message was already found another way. */
  readonly isKnown: (message: BlockMessage) => boolean;
}

/** Returns up to one more than `limit` results, so that the caller knows whether there are more. */
async function search(
  indexed: IndexedBlocks,
  { needles, exact, filter, limit, after, isKnown }: Search,
): Promise<FoundMessage[]> {
  const ids = needles.length > 0 ? findCandidateBlocks(indexed.terms, needles) : indexed.blocks.keys();
  const wanted = [...ids]
    .flatMap((id) => indexed.blocks.get(id) ?? [])
    .filter((block) => suits(block, filter) && (!after || block.from <= after.at))
    .toSorted((a, b) => b.to - a.to);
  const now = indexed.now();
  const found: FoundMessage[] = [];
  let waiting: { block: SearchBlock; message: BlockMessage; at: number; conversationId: string; seq: number }[] = [];
  for (let place = 0; place < wanted.length; place += readTogether) {
    const blocks = wanted.slice(place, place + readTogether);
    const texts = await indexed.read(blocks.map(({ id }) => id));
    for (const [index, block] of blocks.entries()) {
      const text = texts[index];
      if (!text) continue;
      for (const at of placesIn(text, needles)) {
        const message = text.messages[at];
        if (!message || !isWanted(message, filter, now)) continue;
        const one = { block, message, at: message.at, conversationId: block.conversationId, seq: message.seq };
        if (!after || newerFirst(after, one) < 0) waiting.push(one);
      }
    }
    // The remaining blocks contain no newer messages than these, so these are now checked one by one.
    const rest = wanted[place + readTogether]?.to ?? -1;
    waiting.sort(newerFirst);
    const next = waiting.findIndex(({ at }) => at <= rest);
    const due = next === -1 ? waiting : waiting.slice(0, next);
    for (const { block, message } of due) {
      const one = foundIn(block, message, needles, exact);
      if (one && !isKnown(message)) found.push(one);
      if (found.length > limit) return found;
    }
    waiting = next === -1 ? [] : waiting.slice(next);
  }
  return found;
}

/** Returns exact matches first, then similar ones, each newest first. */
export async function answerSearch(
  indexed: IndexedBlocks,
  { typed, filter, limit, after }: SearchQuestion,
): Promise<SearchAnswer> {
  const needles = parseNeedles(typed);
  if (needles.length === 0 && typed.trim() !== '') return { found: [], more: false };
  const shared = { filter, limit };
  const exact =
    after?.exact === false
      ? []
      : await search(indexed, { ...shared, needles, exact: true, after, isKnown: () => false });
  if (exact.length > limit || needles.length === 0) return { found: exact.slice(0, limit), more: exact.length > limit };
  const loose = needles.map((needle) => expandNeedleWithSimilarWords(indexed.terms, needle));
  if (loose.every((needle, place) => needle === needles[place])) return { found: exact, more: false };
  const near = await search(indexed, {
    ...shared,
    limit: limit - exact.length,
    needles: loose,
    exact: false,
    after: after?.exact === false ? after : undefined,
    isKnown: ({ text }) => findHighlights(text, needles) !== null,
  });
  const found = [...exact, ...near.slice(0, limit - exact.length)];
  return { found, more: near.length > limit - exact.length };
}
