import { billingPeriod, priceOf, type Currency, type SaleItem } from '@nolo/rules';

export const dayMs = 86_400_000;
/** What is bought at a time (decision 30). */
export const periodMs = billingPeriod.days * dayMs;
export const graceMs = billingPeriod.graceDays * dayMs;
export const remindedAheadMs = billingPeriod.reminderDaysBefore * dayMs;
/** Between the credit that was shown and the payment: what passes of a day meanwhile costs nobody a part of it. */
const toleranceMs = dayMs;

/** A time that is paid for, or given. */
export interface Period {
  readonly item: SaleItem;
  /** Of Business, otherwise 1. */
  readonly seats: number;
  readonly currency: Currency;
  readonly from: number;
  readonly until: number;
}

/** Something that was paid for. */
export interface Bought {
  readonly item: SaleItem;
  readonly seats: number;
  readonly currency: Currency;
  readonly at: number;
  /** The part of the price that was paid; the rest was credited for days that were not used. */
  readonly share: number;
}

const worthOf = ({ item, seats }: Pick<Period, 'item' | 'seats'>, currency: Currency): number =>
  priceOf(item, currency, seats);

/**
 * Puts plans one after the other: the same again goes on where it ends; more begins at once, with what was not used of the
 * one before; less begins when what there is ends. Nobody gets more time than was paid for, however many orders were credited
 * with the same days.
 *
 * @param hasGrace whether the plan was not ended by the person, so that what is bought soon after its end goes on from there.
 */
export function addPlan(periods: readonly Period[], bought: Bought, hasGrace: boolean): Period[] {
  const { item, seats, currency, at } = bought;
  const paidMs = Math.floor(periodMs * bought.share);
  const last = periods.at(-1);
  const isSame = last?.item === item && last.seats === seats;
  const begin = (from: number, lengthMs = paidMs): Period => ({ item, seats, currency, from, until: from + lengthMs });
  // Days of grace were used, so they are part of what is paid for now.
  if (last && isSame && at < last.until + (hasGrace ? graceMs : 0)) {
    return [...periods.slice(0, -1), { ...last, currency, until: last.until + paidMs }];
  }
  const ahead = periods.filter(({ until }) => until > at);
  if (!last || ahead.length === 0) return [...periods, begin(at)];
  const worth = worthOf(bought, currency);
  if (ahead.some((period) => worthOf(period, currency) > worth)) return [...periods, begin(last.until)];
  const unused = ahead.reduce((sum, period) => sum + unusedWorth(period, currency, at), 0);
  const lengthMs = paidMs + Math.floor(unused / worth);
  const wasJustShown = bought.share < 1 && lengthMs < periodMs && lengthMs >= periodMs - toleranceMs;
  const before = periods.flatMap((period) =>
    period.from < at ? { ...period, until: Math.min(period.until, at) } : [],
  );
  return [...before, begin(at, wasJustShown ? periodMs : lengthMs)];
}

const unusedWorth = (period: Period, currency: Currency, at: number): number =>
  (period.until - Math.max(period.from, at)) * worthOf(period, currency);

/**
 * What an upgrade is credited with: of the running period, at most one as it is bought; the rest becomes days. Counted in
 * whole days, so that the price stands still while somebody reads it.
 */
export function creditAt(period: Period, at: number): number {
  const days = Math.min(billingPeriod.days, Math.ceil((period.until - Math.max(period.from, at)) / dayMs));
  return days <= 0 ? 0 : Math.floor((days * worthOf(period, period.currency)) / billingPeriod.days);
}

/** Add-ons run side by side, but one that is bought when another is about to end, or just did, goes on with it. */
export function addRun(periods: readonly Period[], { item, seats, currency, at, share }: Bought): Period[] {
  const paidMs = Math.floor(periodMs * share);
  const ending = periods
    .filter(({ until }) => at >= until - remindedAheadMs && at < until + graceMs)
    .reduce<Period | undefined>((first, one) => (first && first.until <= one.until ? first : one), undefined);
  if (!ending) return [...periods, { item, seats, currency, from: at, until: at + paidMs }];
  return periods.map((period) => (period === ending ? { ...period, currency, until: period.until + paidMs } : period));
}
