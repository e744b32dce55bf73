import { formatDay, paymentGatewayNames, type ReaderLocale } from '@nolo/rules';
import PdfDocument from 'pdfkit';
import { billingWords } from '../domain/billingWords.ts';
import type { Receipt } from '../domain/ports.ts';
import { receiptLines } from '../domain/receipt.ts';

/** Renders the PDF; the output is identical each time for one reader. */
export async function renderReceiptPdf({ number, issuedAt, content }: Receipt, reader: ReaderLocale): Promise<Buffer> {
  const { receipt: words } = billingWords[reader.language];
  const info = { Title: `${words.title} ${number}`, Author: content.seller, CreationDate: issuedAt, ModDate: issuedAt };
  const document = new PdfDocument({ size: 'A4', margin: 56, info });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  const day = (time: Date | string) => formatDay(reader, new Date(time));
  document.fontSize(20).text(words.title).fontSize(10).moveDown();
  for (const line of content.seller.split(',')) document.text(line.trim());
  document.moveDown();
  document.text(words.number(number)).text(words.date(day(issuedAt)));
  document.text(words.paid(day(content.paidAt), paymentGatewayNames[content.gateway]));
  const buyer = [content.buyer.name, content.buyer.email].filter((chunk) => chunk !== '').join(', ');
  if (buyer !== '') document.text(words.buyer(buyer));
  document.moveDown();
  for (const [label, amount] of receiptLines(content, reader)) {
    const { y } = document;
    document.text(label, 56, y, { width: 340 });
    const below = document.y;
    document.text(amount, 400, y, { width: 139, align: 'right' });
    document.y = Math.max(below, document.y) + 4;
    document.x = 56;
  }
  document.end();
  return await done;
}

/** Returns the file name. */
export const receiptFileName = (number: string, { language }: ReaderLocale): string =>
  billingWords[language].receipt.file(number);
