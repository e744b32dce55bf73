import { equalBytes, toHex } from './bytes.ts';
import type { PinRecord, PlacedRecord } from './vault.ts';

/** Chooses which of the pins of an account counts (docs/encryption.md, section 6). */

export interface PlacedPin extends PlacedRecord {
  readonly record: PinRecord;
}

/** Compares by counter, and then by row: of equal counters the later row wins. */
const compareAge = (a: PlacedPin, b: PlacedPin): number => a.record.counter - b.record.counter || a.row - b.row;

const compareWithin = (a: PlacedPin, b: PlacedPin): number => a.record.n - b.record.n || compareAge(a, b);

/** Adds a pin to those that are kept under a name, of which the greatest stays. */
function keep(kept: Map<string, PlacedPin>, name: string, pin: PlacedPin, compare: typeof compareAge): void {
  const known = kept.get(name);
  if (!known || compare(known, pin) < 0) kept.set(name, pin);
}

/**
 * Returns the pins that later ones may be compared with: those of the highest number of each identity, and the newest
 * of each replacement.
 */
export function keptPins(pins: readonly PlacedPin[]): PlacedPin[] {
  const highest = new Map<string, number>();
  for (const { record } of pins)
    highest.set(toHex(record.identity), Math.max(record.n, highest.get(toHex(record.identity)) ?? 0));
  const kept = new Map<string, PlacedPin>();
  for (const pin of pins) {
    const { n, hash, replaced } = pin.record;
    const identity = toHex(pin.record.identity);
    if (n === highest.get(identity)) keep(kept, `newest:${identity}:${toHex(hash)}`, pin, compareAge);
    if (replaced) keep(kept, `${identity}:${toHex(replaced)}`, pin, compareAge);
  }
  return [...new Set(kept.values())].toSorted((a, b) => a.row - b.row);
}

/**
 * Returns the pins of identities that stay. An identity drops out if one that replaces it was accepted later than it
 * last replaced another.
 */
function withoutReplaced(pins: readonly PlacedPin[]): PlacedPin[] {
  const newestOf = (some: readonly PlacedPin[]) => some.toSorted(compareAge).at(-1);
  return pins.filter(({ record: { identity } }) => {
    const over = newestOf(pins.filter(({ record }) => record.replaced && equalBytes(record.replaced, identity)));
    const own = newestOf(pins.filter(({ record }) => record.replaced && equalBytes(record.identity, identity)));
    return !over || (own !== undefined && compareAge(own, over) > 0);
  });
}

/** Returns the pin that counts, and true if two contradict each other. */
export function choosePin(pins: readonly PlacedPin[]): { pin: PlacedPin | undefined; isForked: boolean } {
  const staying = withoutReplaced(pins);
  const pin = staying.toSorted(compareWithin).at(-1);
  const isForked = staying.some(
    ({ record }) =>
      pin &&
      (!equalBytes(record.identity, pin.record.identity) ||
        (record.n === pin.record.n && !equalBytes(record.hash, pin.record.hash))),
  );
  return { pin, isForked };
}
