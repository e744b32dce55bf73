/** A tax that prices include. */
export interface Tax {
  /** Empty where there is none. */
  readonly name: string;
  /** Hundredths of a percent. */
  readonly basisPoints: number;
}

/** `VAT 15`; empty is no tax. Undefined where it is neither. */
export function parseTax(text: string): Tax | undefined {
  if (text.trim() === '') return { name: '', basisPoints: 0 };
  const match = /^(\S.*\S|\S)\s+(\d{1,2}(?:[.,]\d{1,2})?)\s*%?$/.exec(text.trim());
  const [, name, percent] = match ?? [];
  if (name === undefined || percent === undefined) return undefined;
  return { name, basisPoints: Math.round(Number(percent.replace(',', '.')) * 100) };
}

/** Of an amount that includes the tax. */
export function taxIn(amount: number, basisPoints: number): number {
  return amount - Math.round((amount * 10_000) / (10_000 + basisPoints));
}
