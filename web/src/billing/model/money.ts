/** All currencies that are sold in have two decimals. */
const minorUnits = 100;

/** An amount of minor units as people write it; always with two decimals (spec section 9). */
export function moneyText(amountMinor: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(amountMinor / minorUnits);
}

/** Minor units of what somebody typed, such as 12.5; undefined where that is no amount. */
export function minorOf(typed: string): number | undefined {
  if (!/^\d{1,10}(?:[.,]\d{1,2})?$/.test(typed.trim())) return undefined;
  return Math.round(Number(typed.trim().replace(',', '.')) * minorUnits);
}
