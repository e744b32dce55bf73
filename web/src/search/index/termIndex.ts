/*
 * The index as it lies on the disk: the terms in their order, each with the numbers of the blocks that hold it (an inverted
 * index of blocks, as Glimpse has one: Manber and Wu, 1994). A term gives only what differs from the one before it, a number
 * only how far it lies behind the one before it, so that most take one byte.
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
    /** Seven bits in a byte, the lowest first (LEB128). */
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
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** Code units in their order, the same everywhere. */
function ascending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The numbers of each term in their order. */
export function encodeTerms(terms: ReadonlyMap<string, readonly number[]>): Uint8Array {
  const names = createWriter();
  const numbers = createWriter();
  let before = '';
  for (const term of [...terms.keys()].toSorted(ascending)) {
    const blocks = terms.get(term) ?? [];
    let shared = commonStart(before, term);
    // Half of a pair of surrogates is no text.
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
  /** In their order. */
  readonly terms: readonly string[];
  /** How many blocks hold a term. */
  countOf(term: number): number;
  /** Calls back with the number of every block that holds it. */
  eachBlock(term: number, found: (block: number) => void): void;
  /** From which term to before which one they begin so. */
  range(start: string): readonly [from: number, to: number];
}

export function openTerms(bytes: Uint8Array | undefined): TermIndex {
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
  /** The first term that is not before this one. */
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

/** The index with other terms for these blocks. */
export function withBlocks(index: TermIndex, fresh: ReadonlyMap<number, ReadonlySet<string>>): Uint8Array {
  const terms = new Map<string, number[]>();
  for (let term = 0; term < index.terms.length; term += 1) {
    const blocks: number[] = [];
    index.eachBlock(term, (block) => {
      if (!fresh.has(block)) blocks.push(block);
    });
    if (blocks.length > 0) terms.set(index.terms[term] ?? '', blocks);
  }
  const added = new Set<string>();
  for (const [block, held] of fresh) {
    for (const term of held) {
      const blocks = terms.get(term);
      if (blocks) blocks.push(block);
      else terms.set(term, [block]);
      added.add(term);
    }
  }
  for (const term of added) terms.get(term)?.sort((a, b) => a - b);
  return encodeTerms(terms);
}
