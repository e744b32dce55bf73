import type { AddressInfo } from 'node:net';
import { Secret } from '@nolo/kit/config';
import { SMTPServer } from 'smtp-server';
import type { ReceiptContent } from '../src/domain/receipt.ts';
import { BillingMailRefusedError } from '../src/mail/mail.ts';
import { renderReceiptPdf } from '../src/mail/renderReceiptPdf.ts';
import { createSmtpMailSender } from '../src/mail/smtpMailSender.ts';

/** Tests receipts as received by a mail server. */

const taken: { from: string; to: string[]; raw: string }[] = [];
let server: SMTPServer;
let port: number;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody@')) done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
      else if (address.startsWith('full@')) done(Object.assign(new Error('Later'), { responseCode: 452 }));
      else done();
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (part: Buffer) => chunks.push(part));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  port = (server.server.address() as AddressInfo).port;
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

const content: ReceiptContent = {
  seller: 'Example Ltd, 1 Example Street',
  buyer: { name: 'Ada O’Neill', email: 'ada@example.org' },
  item: 'plus',
  seats: 1,
  currency: 'ZAR',
  price: 12_900,
  credit: 0,
  amount: 12_900,
  tax: { name: 'VAT', basisPoints: 1_500, amount: 1_683 },
  gateway: 'payfast',
  paidAt: '2026-11-20T12:00:00.000Z',
};
const sender = (at = port) =>
  createSmtpMailSender({ url: new Secret(`smtp://127.0.0.1:${at}`), from: 'Nolo <nolo@example.org>' });

test('a receipt is sent from the fixed sender, with the PDF attached unchanged', async () => {
  const receipt = { number: '2026-000001', issuedAt: new Date('2026-11-20T12:00:00Z'), content };
  const bytes = await renderReceiptPdf(receipt, { language: 'en' });
  const attachments = [{ name: 'receipt-2026-000001.pdf', type: 'application/pdf', bytes }];
  await sender().send({ to: 'ada@example.org', subject: 'Receipt 2026-000001', text: 'Thank you.', attachments });
  const [mail] = taken;
  expect(mail).toMatchObject({ from: 'nolo@example.org', to: ['ada@example.org'] });
  const raw = mail?.raw ?? '';
  expect(raw).toMatch(/^From: Nolo <nolo@example\.org>\r?$/m);
  expect(raw).toMatch(/^Subject: Receipt 2026-000001\r?$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  const part = /Content-Type: application\/pdf; name=receipt-2026-000001\.pdf[^]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(
    raw,
  );
  const received = Buffer.from(part?.[1] ?? '', 'base64');
  expect(received.equals(bytes)).toBe(true);
  expect(received.subarray(0, 5).toString()).toBe('%PDF-');
  expect(received.toString('latin1').trimEnd()).toMatch(/%%EOF$/);
});

test('a permanent rejection by the server is final, and a temporary one is retried', async () => {
  const mail = { subject: 'Receipt', text: 'Thank you.' };
  await expect(sender().send({ ...mail, to: 'nobody@example.org' })).rejects.toBeInstanceOf(BillingMailRefusedError);
  const later = await sender()
    .send({ ...mail, to: 'full@example.org' })
    .catch((error: unknown) => error);
  expect(later).not.toBeInstanceOf(BillingMailRefusedError);
  expect(String(later)).not.toContain('full@example.org');
  const away = await sender(1)
    .send({ ...mail, to: 'ada@example.org' })
    .catch((error: unknown) => error);
  expect(away).toBeInstanceOf(Error);
  expect(away).not.toBeInstanceOf(BillingMailRefusedError);
});
