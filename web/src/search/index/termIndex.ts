/*
 * Disk format of the index: sorted terms, each with the numbers of its blocks (an inverted index of blocks, as in
 * Glimpse: Manber and Wu, 1994). Terms are stored as the difference from the previous one, and numbers as the distance
 * from the previous one, so that most take one byte.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function createWriter() {
  let bytes = new Uint8Array(1 << 16);
  let length = 0;
  const reserve = (more: number): void => {
    if (length + more <= bytes.length) return;
    const larger = new Uint8Array(Math.max(bytes.length * 2, length + more));
    larger.set(bytes);
    bytes = larger;
  };
  return {
    /** Writes seven bits per byte, lowest first (LEB128). */
    number(value: number): void {
      reserve(5);
      let rest = value;
      for (; rest > 0x7f; rest >>>= 7) bytes[length++] = (rest & 0x7f) | 0x80;
      bytes[length++] = rest;
    },
    bytes(added: Uint8Array): void {
      reserve(added.length);
      bytes.set(added, length);
      length += added.length;
    },
    done: () => bytes.slice(0, length),
  };
}

function commonStart(a: string, b: string): number {
  const maxLength = Math.min(a.length, b.length);
  let length = 0;
  while (length < maxLength && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** Orders by code units, the same everywhere. */
function ascending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Encodes terms with their sorted block numbers. */
export function encodeTerms(terms: ReadonlyMap<string, readonly number[]>): Uint8Array {
  const names = createWriter();
  const numbers = createWriter();
  let before = '';
  for (const term of [...terms.keys()].toSorted(ascending)) {
    const blocks = terms.get(term) ?? [];
    let shared = commonStart(before, term);
    // A shared prefix must not end within a surrogate pair.
    const last = term.charCodeAt(shared - 1);
    if (shared > 0 && last >= 0xd800 && last <= 0xdbff) shared -= 1;
    const rest = encoder.encode(term.slice(shared));
    names.number(shared);
    names.number(rest.length);
    names.bytes(rest);
    names.number(blocks.length);
    let previous = 0;
    for (const block of blocks) {
      numbers.number(block - previous);
      previous = block;
    }
    before = term;
  }
  const head = createWriter();
  const [first, second] = [names.done(), numbers.done()];
  head.number(terms.size);
  head.number(first.length);
  head.bytes(first);
  head.bytes(second);
  return head.done();
}

export interface TermIndex {
  /** Sorted terms. */
  readonly terms: readonly string[];
  /** Returns the number of blocks with a term. */
  countOf(term: number): number;
  /** Calls `found` with the number of each block that contains the term. */
  eachBlock(term: number, found: (block: number) => void): void;
  /** Returns the range of terms that begin with `start`, the end exclusive. */
  range(start: string): readonly [from: number, to: number];
}

export function decodeTermIndex(bytes: Uint8Array | undefined): TermIndex {
  let place = 0;
  const read = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes?.[place++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  const size = bytes ? read() : 0;
  const namesLength = bytes ? read() : 0;
  const end = place + namesLength;
  const terms: string[] = [];
  const counts = new Uint32Array(size);
  const offsets = new Uint32Array(size);
  let before = '';
  for (let term = 0; term < size && bytes; term += 1) {
    const shared = read();
    const length = read();
    before = before.slice(0, shared) + decoder.decode(bytes.subarray(place, place + length));
    place += length;
    terms.push(before);
    counts[term] = read();
  }
  place = end;
  for (let term = 0; term < size && bytes; term += 1) {
    offsets[term] = place;
    for (let left = counts[term] ?? 0; left > 0; left -= 1) while ((bytes[place++] ?? 0) >= 0x80);
  }
  /** Returns the first term that is not before the wanted one. */
  const lowerBound = (wanted: (term: string) => boolean): number => {
    let [low, high] = [0, terms.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (wanted(terms[middle] ?? '')) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    terms,
    countOf: (term) => counts[term] ?? 0,
    eachBlock(term, found) {
      place = offsets[term] ?? 0;
      let block = 0;
      for (let left = counts[term] ?? 0; left > 0; left -= 1) {
        block += read();
        found(block);
      }
    },
    range(start) {
      const from = lowerBound((term) => term >= start);
      return [from, lowerBound((term) => term > start && !term.startsWith(start))];
    },
  };
}

/** Returns the index with the terms of these blocks replaced. */
export function encodeTermIndexWithBlocks(
  index: TermIndex,
  fresh: ReadonlyMap<number, ReadonlySet<string>>,
): Uint8Array {
  const terms = new Map<string, number[]>();
  for (let term = 0; term < index.terms.length; term += 1) {
    const blocks: number[] = [];
    index.eachBlock(term, (block) => {
      if (!fresh.has(block)) blocks.push(block);
    });
    if (blocks.length > 0) terms.set(index.terms[term] ?? '', blocks);
  }
  const added = new Set<string>();
  for (const [block, terms_] of fresh) {
    for (const term of terms_) {
      const blocks = terms.get(term);
      if (blocks) blocks.push(block);
      else terms.set(term, [block]);
      added.add(term);
    }
  }
  for (const term of added) terms.get(term)?.sort((a, b) => a - b);
  return encodeTerms(terms);
}
