import type { Currency, GatewayId, SaleItem } from '@nolo/rules';

/** What stands on a receipt, as it was when it was issued. */
export interface ReceiptContent {
  readonly seller: string;
  readonly buyer: { readonly name: string; readonly email: string };
  readonly item: SaleItem;
  readonly seats: number;
  readonly currency: Currency;
  /** Minor units, as all amounts here; before the credit. */
  readonly price: number;
  readonly credit: number;
  readonly amount: number;
  readonly tax: { readonly name: string; readonly basisPoints: number; readonly amount: number };
  readonly gateway: GatewayId;
  readonly paidAt: string;
}

const itemNames: Readonly<Record<SaleItem, string>> = {
  plus: 'Nolo Plus, 30 days',
  business: 'Nolo Business, 30 days',
  storage: 'Storage add-on of 20 GB, 30 days',
  transcription: 'Transcription pack of 100 hours, 30 days',
};

export function itemName(item: SaleItem, seats: number): string {
  return item === 'business' ? `${itemNames[item]}, ${seats === 1 ? '1 seat' : `${seats} seats`}` : itemNames[item];
}

/** All of our currencies have two decimals. */
export const amountText = (amount: number, currency: string): string => `${currency} ${(amount / 100).toFixed(2)}`;

/** The lines of a receipt, each with what stands at its right. */
export function receiptLines(content: ReceiptContent): [label: string, amount: string][] {
  const { currency, tax } = content;
  const percent = tax.basisPoints / 100;
  const lines: [string, string][] = [[itemName(content.item, content.seats), amountText(content.price, currency)]];
  if (content.credit > 0) lines.push(['Credit for unused days', amountText(-content.credit, currency)]);
  lines.push(['Total paid', amountText(content.amount, currency)]);
  if (tax.name !== '') lines.push([`Includes ${tax.name} ${percent}%`, amountText(tax.amount, currency)]);
  return lines;
}
