import { type Needle, type Spelling } from '../../chat/words/text/needles.ts';
import { longestTerm, termsOfPiece } from '../../chat/words/text/terms.ts';
import type { TermIndex } from './termIndex.ts';
import { errorsToBeginning, mostErrors } from './typingErrors.ts';

/** What of the terms of all blocks is looked into: the index, and what is newer than it. */
export interface Terms {
  readonly index: TermIndex;
  /** The terms of blocks that changed since the index was written; what that says of them does not count. */
  readonly fresh: ReadonlyMap<number, ReadonlySet<string>>;
}

/** The blocks that hold a term that begins like this, or is this. */
function blocksOf({ index, fresh }: Terms, start: string, whole: boolean): Set<number> {
  const found = new Set<number>();
  const [from, to] = index.range(start);
  for (let term = from; term < to; term += 1) {
    if (whole && index.terms[term] !== start) break;
    index.eachBlock(term, (block) => found.add(block));
  }
  for (const [block, terms] of fresh) {
    found.delete(block);
    if (whole ? terms.has(start) : [...terms].some((term) => term.startsWith(start))) found.add(block);
  }
  return found;
}

function both(one: ReadonlySet<number>, other: ReadonlySet<number>): Set<number> {
  return new Set([...one].filter((block) => other.has(block)));
}

function blocksOfSpelling(terms: Terms, { text, whole }: Spelling, spaced: boolean): Set<number> {
  // Cuts: a search term, which the index cuts at the same place.
  if (spaced) return blocksOf(terms, text.slice(0, longestTerm), whole && text.length < longestTerm);
  const parts = termsOfPiece({ text, spaced });
  // A sign of a pair may stand first in the text, so that only beginnings are alike.
  return parts.map((part) => blocksOf(terms, part, [...part].length > 1)).reduce(both);
}

/** The blocks that may hold all that is looked for. */
export function candidateBlocks(terms: Terms, needles: readonly Needle[]): Set<number> {
  return needles
    .map(
      ({ spellings, spaced }) =>
        new Set(spellings.flatMap((spelling) => [...blocksOfSpelling(terms, spelling, spaced)])),
    )
    .reduce(both);
}

/** So many words are taken for what was meant. */
const mostMeant = 40;

/** The same needle for whoever mistyped it: the words that are here and come close to it, besides what was typed. */
export function withTypingErrors({ index, fresh }: Terms, needle: Needle): Needle {
  const typed = needle.spellings[0]?.text ?? '';
  const most = mostErrors(typed.length);
  if (most === 0 || !needle.spaced) return needle;
  const meant = new Map<string, number>();
  const consider = (term: string): void => {
    if (meant.has(term)) return;
    const errors = errorsToBeginning(typed, term, most);
    if (errors > 0 && errors <= most) meant.set(term, errors);
  };
  index.terms.forEach(consider);
  for (const terms of fresh.values()) terms.forEach(consider);
  const nearest = [...meant].toSorted(([a, errors], [b, others]) => errors - others || a.length - b.length);
  const words = nearest.slice(0, mostMeant).map(([text]): Spelling => ({ text, umlaut: false, whole: true }));
  return { ...needle, spellings: [...needle.spellings, ...words] };
}
