import { type SearchNeedle, type NeedleSpelling } from '../../chat/words/text/needles.ts';
import { maxTermLength, toSearchTerms } from '../../chat/words/text/terms.ts';
import type { TermIndex } from './termIndex.ts';
import { countTypingErrors, countAllowedErrors } from './typingErrors.ts';

/** Terms of all blocks: the index, and newer changes. */
export interface IndexedTerms {
  readonly index: TermIndex;
  /** Terms of blocks changed since the index was written. They replace the index for these blocks. */
  readonly fresh: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Returns the blocks with a term that starts with `start`, or equals it if `whole` is set. */
function blocksOf({ index, fresh }: IndexedTerms, start: string, whole: boolean): Set<number> {
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

function blocksOfSpelling(terms: IndexedTerms, { text, whole }: NeedleSpelling, spaced: boolean): Set<number> {
  // Cuts: search terms, at the same position as in the index.
  if (spaced) return blocksOf(terms, text.slice(0, maxTermLength), whole && text.length < maxTermLength);
  const pieceTerms = toSearchTerms({ text, spaced });
  // Text may begin with the second character of a pair, so single characters match by prefix.
  return pieceTerms.map((pieceTerm) => blocksOf(terms, pieceTerm, [...pieceTerm].length > 1)).reduce(both);
}

/** Returns the blocks that may contain all needles. */
export function findCandidateBlocks(terms: IndexedTerms, needles: readonly SearchNeedle[]): Set<number> {
  return needles
    .map(
      ({ spellings, spaced }) =>
        new Set(spellings.flatMap((spelling) => [...blocksOfSpelling(terms, spelling, spaced)])),
    )
    .reduce(both);
}

/** Maximum similar words added to a needle. */
const maxCorrections = 40;

/** Returns a needle that also matches indexed words similar to the typed one. */
export function expandNeedleWithSimilarWords({ index, fresh }: IndexedTerms, needle: SearchNeedle): SearchNeedle {
  const typed = needle.spellings[0]?.text ?? '';
  const maxErrors = countAllowedErrors(typed.length);
  if (maxErrors === 0 || !needle.spaced) return needle;
  const meant = new Map<string, number>();
  const consider = (term: string): void => {
    if (meant.has(term)) return;
    const errors = countTypingErrors(typed, term, maxErrors);
    if (errors > 0 && errors <= maxErrors) meant.set(term, errors);
  };
  index.terms.forEach(consider);
  for (const terms of fresh.values()) terms.forEach(consider);
  const nearest = [...meant].toSorted(([a, errors], [b, others]) => errors - others || a.length - b.length);
  const words = nearest
    .slice(0, maxCorrections)
    .map(([text]): NeedleSpelling => ({ text, umlaut: false, whole: true }));
  return { ...needle, spellings: [...needle.spellings, ...words] };
}
