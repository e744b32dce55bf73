import { billingPeriod, priceOf, type Currency, type SaleItem } from '@nolo/rules';

export const dayMs = 86_400_000;
/** Length of a paid period (decision 30). */
export const periodMs = billingPeriod.days * dayMs;
export const planGraceMs = billingPeriod.graceDays * dayMs;
export const remindedAheadMs = billingPeriod.reminderDaysBefore * dayMs;
/** Tolerance between the shown credit and the payment, so that nobody loses part of a day meanwhile. */
const toleranceMs = dayMs;

/** Period that was paid for or granted. */
export interface PaidPeriod {
  readonly item: SaleItem;
  /** Number of seats for Business, otherwise 1. */
  readonly seats: number;
  readonly currency: Currency;
  readonly from: number;
  readonly until: number;
}

/** Purchase that was paid. */
export interface Purchase {
  readonly item: SaleItem;
  readonly seats: number;
  readonly currency: Currency;
  readonly at: number;
  /** Share of the price that was paid; the rest was credited for unused days. */
  readonly share: number;
}

const worthOf = ({ item, seats }: Pick<PaidPeriod, 'item' | 'seats'>, currency: Currency): number =>
  priceOf(item, currency, seats);

/**
 * Appends a plan. The same plan continues at the end of the last period. A larger one begins at once and includes the
 * unused value of the previous one. A smaller one begins when the existing periods end. Nobody gets more time than was
 * paid for, no matter how many orders were credited with the same days.
 *
 * @param hasGrace true if the person did not end the plan, so that a purchase soon after its end continues from there.
 */
export function addPlanPeriod(periods: readonly PaidPeriod[], bought: Purchase, hasGrace: boolean): PaidPeriod[] {
  const { item, seats, currency, at } = bought;
  const paidMs = Math.floor(periodMs * bought.share);
  const last = periods.at(-1);
  const isSame = last?.item === item && last.seats === seats;
  const begin = (from: number, lengthMs = paidMs): PaidPeriod => ({
    item,
    seats,
    currency,
    from,
    until: from + lengthMs,
  });
  // Days of grace were used, so they are part of the newly paid period.
  if (last && isSame && at < last.until + (hasGrace ? planGraceMs : 0)) {
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

const unusedWorth = (period: PaidPeriod, currency: Currency, at: number): number =>
  (period.until - Math.max(period.from, at)) * worthOf(period, currency);

/**
 * Returns the credit for an upgrade: at most one full period of the current plan; the rest becomes days. It is counted
 * in whole days, so that the price stays the same while a person reads it.
 */
export function upgradeCreditAt(period: PaidPeriod, at: number): number {
  const days = Math.min(billingPeriod.days, Math.ceil((period.until - Math.max(period.from, at)) / dayMs));
  return days <= 0 ? 0 : Math.floor((days * worthOf(period, period.currency)) / billingPeriod.days);
}

/**
 * Adds an add-on. Add-ons run in parallel, but a purchase shortly before or after the end of another one extends that
 * one.
 */
export function addAddOnPeriod(
  periods: readonly PaidPeriod[],
  { item, seats, currency, at, share }: Purchase,
): PaidPeriod[] {
  const paidMs = Math.floor(periodMs * share);
  const ending = periods
    .filter(({ until }) => at >= until - remindedAheadMs && at < until + planGraceMs)
    .reduce<PaidPeriod | undefined>((first, one) => (first && first.until <= one.until ? first : one), undefined);
  if (!ending) return [...periods, { item, seats, currency, from: at, until: at + paidMs }];
  return periods.map((period) => (period === ending ? { ...period, currency, until: period.until + paidMs } : period));
}
