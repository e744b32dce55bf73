import { gatewayNames } from '@nolo/rules';
import PdfDocument from 'pdfkit';
import { receiptLines, type ReceiptContent } from '../domain/receipt.ts';

/** The PDF, the same each time. */
export async function receiptPdf(number: string, issuedAt: Date, content: ReceiptContent): Promise<Buffer> {
  const info = { Title: `Receipt ${number}`, Author: content.seller, CreationDate: issuedAt, ModDate: issuedAt };
  const document = new PdfDocument({ size: 'A4', margin: 56, info });
  const parts: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    document.on('error', reject);
  });
  const day = (time: Date | string) => new Date(time).toISOString().slice(0, 10);
  document.fontSize(20).text('Receipt').fontSize(10).moveDown();
  for (const line of content.seller.split(',')) document.text(line.trim());
  document.moveDown();
  document.text(`Number: ${number}`).text(`Date: ${day(issuedAt)}`);
  document.text(`Paid: ${day(content.paidAt)} by ${gatewayNames[content.gateway]}`);
  const buyer = [content.buyer.name, content.buyer.email].filter((part) => part !== '').join(', ');
  if (buyer !== '') document.text(`To: ${buyer}`);
  document.moveDown();
  for (const [label, amount] of receiptLines(content)) {
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
