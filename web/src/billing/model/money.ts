/** All currencies used for sales have two decimals. */
const minorUnits = 100;

/** Formats an amount in minor units, always with two decimals (spec section 9). */
export function formatMoneyText(amountMinor: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(amountMinor / minorUnits);
}

/** Parses typed amounts such as 12.5 into minor units; undefined if it is not an amount. */
export function toMinorUnits(typed: string): number | undefined {
  if (!/^\d{1,10}(?:[.,]\d{1,2})?$/.test(typed.trim())) return undefined;
  return Math.round(Number(typed.trim().replace(',', '.')) * minorUnits);
}
