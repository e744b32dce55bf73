import { foldText } from '@nolo/rules';
import { splitIntoTermSources, toSearchTerms } from '../../chat/words/text/terms.ts';
import type { SearchBlock, BlockMessage, IndexableMessage } from './searchPorts.ts';

/**
 * Messages are stored in blocks of consecutive numbers of a conversation. The index refers to blocks rather than
 * messages, which keeps it small. A found block's text is searched again, so a changed or deleted message is never
 * found by its former text.
 */
export const blockLength = 64;

export const toBlockNumber = (seq: number): number => Math.floor(seq / blockLength);
export const blockKey = (conversationId: string, part: number): string => `${conversationId} ${part}`;

/** Replaces older messages of a block. Returns whether any text was removed, or undefined if nothing changed. */
export function mergeBlockMessages(
  known: readonly BlockMessage[],
  received: readonly IndexableMessage[],
): { messages: BlockMessage[]; wordsGone: boolean } | undefined {
  const bySeq = new Map(known.map((message) => [message.seq, message]));
  let changed = false;
  let wordsGone = false;
  for (const { conversationId: _, ...message } of received) {
    const before = bySeq.get(message.seq);
    if (before && before.changeSeq >= message.changeSeq) continue;
    changed = true;
    if (before && before.text !== '' && before.text !== message.text) wordsGone = true;
    bySeq.set(message.seq, message);
  }
  if (!changed) return undefined;
  return { messages: [...bySeq.values()].toSorted((a, b) => a.seq - b.seq), wordsGone };
}

/** Returns the metadata of a block with these messages. */
export function describeBlock(
  { id, conversationId, part }: Pick<SearchBlock, 'id' | 'conversationId' | 'part'>,
  messages: readonly BlockMessage[],
): SearchBlock {
  let [from, to, low, high, next] = [Infinity, 0, 0, 0, Infinity];
  for (const { at, seq, expiresAt } of messages) {
    from = Math.min(from, at);
    to = Math.max(to, at);
    next = Math.min(next, expiresAt ?? Infinity);
    const bit = seq % blockLength;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit - 32);
  }
  const nextExpiry = next === Infinity ? null : next;
  const bytes = JSON.stringify(messages).length;
  return { id, conversationId, part, from, to, held: [low >>> 0, high >>> 0], nextExpiry, bytes, fresh: true };
}

export function hasMessage({ held: [low, high] }: Pick<SearchBlock, 'held'>, seq: number): boolean {
  const bit = seq % blockLength;
  return ((bit < 32 ? low >>> bit : high >>> (bit - 32)) & 1) === 1;
}

function bitsOf(value: number): number {
  let count = 0;
  for (let rest = value >>> 0; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
}

export const countMessages = ({ held: [low, high] }: Pick<SearchBlock, 'held'>): number => bitsOf(low) + bitsOf(high);

export function withoutText(message: BlockMessage): BlockMessage {
  return { ...message, kind: 'none', text: '', expiresAt: null };
}

/** Text of a whole block, so that it can be searched at once. */
export interface BlockText {
  readonly messages: readonly BlockMessage[];
  readonly folded: string;
  /** Start of each message in the text. */
  readonly starts: readonly number[];
}

export function toBlockText(messages: readonly BlockMessage[]): BlockText {
  let folded = '';
  const starts: number[] = [];
  for (const { text } of messages) {
    starts.push(folded.length);
    folded += `${foldText(text)}\n`;
  }
  return { messages, folded, starts };
}

/** Returns the index of the message at a position of the folded text. */
export function findMessageAt({ starts }: BlockText, place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function termsOf({ folded }: BlockText): Set<string> {
  const terms = new Set<string>();
  for (const piece of splitIntoTermSources(folded)) for (const term of toSearchTerms(piece)) terms.add(term);
  return terms;
}
