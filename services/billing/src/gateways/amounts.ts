/** Formats an amount like both gateways: two decimals after a point, which suits all supported currencies. */
export function toDecimal(minor: number): string {
  if (!Number.isSafeInteger(minor) || minor < 0)
    throw new RangeError('an amount must be a whole number of minor units');
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Parses an amount without rounding. @returns undefined for an invalid amount */
export function toMinor(decimal: string): number | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(decimal);
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined;
}
