import type { Item } from './facts.ts';

export const dayMs = 86_400_000;
/** What is bought at a time (decision 30). */
export const periodMs = 30 * dayMs;
export const graceMs = 7 * dayMs;
export const remindedAheadMs = 3 * dayMs;

/** A time that is paid for. */
export interface Period {
  readonly item: Item;
  readonly quantity: number;
  readonly from: number;
  readonly until: number;
}

/** Something that was paid for. */
export interface Bought {
  readonly item: Item;
  readonly quantity: number;
  readonly at: number;
}

/** What a day of it is worth, in any unit that all that replace one another share. */
export type WorthOf = (what: { readonly item: Item; readonly quantity: number }) => number;

/**
 * Puts what was bought one after the other: the same again goes on where it ends, more begins at once with the unused days
 * credited as days of what is worth more, and less begins when what there is ends.
 *
 * @param endedAt when the person said that it is to end: what is bought after that and after its end begins anew.
 */
export function addPeriod(periods: readonly Period[], bought: Bought, worthOf: WorthOf, hasGrace: boolean): Period[] {
  const { item, quantity, at } = bought;
  const last = periods.at(-1);
  const isSame = last?.item === item && last.quantity === quantity;
  const begin = (from: number, until = from + periodMs): Period => ({ item, quantity, from, until });
  if (!last || at >= last.until) {
    // Within the grace it was used on, so the days of it are part of what is paid now.
    const goesOn = isSame && hasGrace && at < last.until + graceMs;
    if (goesOn) return [...periods.slice(0, -1), { ...last, until: last.until + periodMs }];
    return [...periods, begin(at)];
  }
  if (isSame) return [...periods.slice(0, -1), { ...last, until: last.until + periodMs }];
  const ahead = periods.filter(({ until }) => until > at);
  const worth = worthOf(bought);
  if (ahead.some((period) => worthOf(period) > worth)) return [...periods, begin(last.until)];
  const unused = ahead.reduce((sum, period) => sum + (period.until - Math.max(period.from, at)) * worthOf(period), 0);
  const before = periods.flatMap((period) =>
    period.from < at ? { ...period, until: Math.min(period.until, at) } : [],
  );
  return [...before, begin(at, at + periodMs + Math.floor(unused / worth))];
}
