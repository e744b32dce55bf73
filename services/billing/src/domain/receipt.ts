import {
  formatMoney,
  formatPercent,
  type Currency,
  type PaymentGatewayId,
  type ReaderLocale,
  type SaleItem,
  type SupportedLanguage,
} from '@nolo/rules';
import { billingWords } from './billingWords.ts';

/** Contents of a receipt at the time of issue. */
export interface ReceiptContent {
  readonly seller: string;
  readonly buyer: { readonly name: string; readonly email: string };
  readonly item: SaleItem;
  readonly seats: number;
  readonly currency: Currency;
  /** Price before the credit, in minor units like all amounts here. */
  readonly price: number;
  readonly credit: number;
  readonly amount: number;
  readonly tax: { readonly name: string; readonly basisPoints: number; readonly amount: number };
  readonly gateway: PaymentGatewayId;
  readonly paidAt: string;
}

export function itemName(item: SaleItem, seats: number, language: SupportedLanguage): string {
  const words = billingWords[language];
  return item === 'business' ? `${words.items[item]}, ${words.seats(seats)}` : words.items[item];
}

/** Returns the rows of a receipt, each with its right-hand amount. */
export function receiptLines(content: ReceiptContent, reader: ReaderLocale): [label: string, amount: string][] {
  const { currency, tax } = content;
  const { credit, total, includes } = billingWords[reader.language].receipt;
  const money = (amount: number) => formatMoney(reader, amount, currency);
  const lines: [string, string][] = [[itemName(content.item, content.seats, reader.language), money(content.price)]];
  if (content.credit > 0) lines.push([credit, money(-content.credit)]);
  lines.push([total, money(content.amount)]);
  if (tax.name !== '') lines.push([includes(tax.name, formatPercent(reader, tax.basisPoints)), money(tax.amount)]);
  return lines;
}
