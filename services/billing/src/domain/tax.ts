/** Tax included in prices. */
export interface TaxRate {
  /** Name. Empty if there is no tax. */
  readonly name: string;
  /** Rate in hundredths of a percent. */
  readonly basisPoints: number;
}

/** Parses `VAT 15`; an empty text is no tax. Returns undefined for an invalid text. */
export function parseTax(text: string): TaxRate | undefined {
  if (text.trim() === '') return { name: '', basisPoints: 0 };
  const match = /^(\S.*\S|\S)\s+(\d{1,2}(?:[.,]\d{1,2})?)\s*%?$/.exec(text.trim());
  const [, name, percent] = match ?? [];
  if (name === undefined || percent === undefined) return undefined;
  return { name, basisPoints: Math.round(Number(percent.replace(',', '.')) * 100) };
}

/** Returns the tax in an amount that includes it. */
export function includedTax(amount: number, basisPoints: number): number {
  return amount - Math.round((amount * 10_000) / (10_000 + basisPoints));
}
