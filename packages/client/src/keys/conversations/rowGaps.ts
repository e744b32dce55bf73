import { equalBytes, type Bytes } from '@nolo/e2ee';
import { toText } from '../wire.ts';
import type { Conversation } from './conversation.ts';
import type { IndexedRow } from './rowBlocks.ts';
import type { RowIndex } from './rowIndex.ts';
import type { CaughtUp, RowGap } from './rowTypes.ts';

/** Rows that others name and that are not there (docs/encryption.md, section 5, Order and gaps). */

const maxGaps = 20;

/** Facts that a client has about a conversation when it looks for missing rows. */
interface Known extends CaughtUp {
  readonly index: RowIndex;
  /** Number of the row before the first one that may be sealed. */
  readonly start: number;
}

/**
 * Returns true if this device would have a row that another one of its sender named as its own. That is a message
 * since the sender's message before, or a deletion, which may be of an older message.
 */
function wouldHaveOwn({ index, from, followedFrom, seesDeletions, start }: Known, row: IndexedRow): boolean {
  if (!seesDeletions) return false;
  const previous = index.previousOf(row);
  if (previous && previous.seq >= followedFrom && index.isCovered(previous.seq, row.seq)) return true;
  return from <= start + 1 && index.isCovered(start, row.seq);
}

/** Returns the rows that a row names and that are certainly missing; null if none can be any more. */
function missingOf(known: Known, row: IndexedRow): readonly Bytes[] | null {
  const { index, start } = known;
  const own = row.own.filter((hash) => !index.isSeen(hash));
  const others = [row.seen, row.reply?.hash ?? null].flatMap((hash) => (hash && !index.isSeen(hash) ? hash : []));
  if (own.length + others.length === 0) return null;
  const isWhole = others.length > 0 && index.isCovered(start, row.seq);
  const { reply } = row;
  const wasFound = (hash: Bytes): boolean => row.missing.some((one) => equalBytes(one, hash));
  // The place of a reply's target is known. Another row stands there.
  const isReplaced = (hash: Bytes): boolean =>
    reply !== null && equalBytes(reply.hash, hash) && index.isCovered(reply.seq - 1, reply.seq + 1);
  const missingOwn = own.length > 0 && wouldHaveOwn(known, row) ? own : own.filter(wasFound);
  return [...missingOwn, ...others.filter((hash) => isWhole || wasFound(hash) || isReplaced(hash))];
}

/** Looks for missing rows. What was found is found again until the row arrives. */
export function findGaps(index: RowIndex, { epochs }: Conversation, caughtUp: CaughtUp): RowGap[] {
  const [first] = epochs;
  if (!first) return [];
  // A member who entered later gets no row from before, or rows that stand from the first number on.
  const known = { ...caughtUp, index, start: first.n === 0 ? first.place.seq : 0 };
  const found: RowGap[] = [];
  const told = new Set<string>();
  for (const row of index.waiting) {
    const missing = missingOf(known, row);
    index.settle(row, missing);
    const rows = (missing ?? []).map(toText).filter((name) => !told.has(name));
    for (const name of rows) told.add(name);
    if (rows.length > 0) found.push({ seq: row.seq, rows });
  }
  return found.slice(-maxGaps);
}
