import { supportedLanguages } from '@nolo/rules';
import { billingWords } from './billingWords.ts';
import { composeMail, type MailDetails } from './mails.ts';
import { itemName, receiptLines, type ReceiptContent } from './receipt.ts';

const tidings = Object.keys(billingWords.en.letters) as MailDetails['about'][];
const subject = {
  name: 'Jo Doe',
  item: 'plus',
  at: '2026-11-26T23:30:00Z',
  receipt: '2026-000001',
  origin: 'https://a.example',
};
const berlin = { language: 'de', timeZone: 'Europe/Berlin' } as const;

test.each(tidings)('an email about %s is written in each language, in its own words', (about) => {
  const [english, german] = supportedLanguages.map((language) => composeMail({ ...subject, about }, { language }));
  for (const letter of [english, german]) {
    expect(letter?.subject).not.toBe('');
    expect(letter?.text).toContain('https://a.example/');
    expect(`${letter?.subject}${letter?.text}`).not.toMatch(/undefined|\[object|"/);
  }
  expect(german?.subject).not.toBe(english?.subject);
  expect(german?.text).not.toBe(english?.text);
});

test.each(['invitation', 'seat'] as const)(
  "an email about %s advertises no address through its sender's name",
  (about) => {
    const { text } = composeMail({ ...subject, about, name: 'https://evil.example/win' }, { language: 'en' });
    expect(text).not.toContain('evil');
    expect(text).toContain('Someone');
  },
);

test("days are written in the reader's format", () => {
  expect(composeMail({ ...subject, about: 'reminder' }, { language: 'en' }).subject).toBe(
    'Your Plus plan ends on November 26, 2026',
  );
  expect(composeMail({ ...subject, about: 'reminder' }, berlin).subject).toBe(
    'Dein Tarif Plus endet am 27. November 2026',
  );
  expect(composeMail({ ...subject, about: 'reminder', at: undefined }, berlin).subject).toBe(
    'Dein Tarif Plus endet bald',
  );
  expect(composeMail({ ...subject, about: 'grace' }, berlin).text).toContain(
    'Bis zum 27. November 2026 geht alles weiter',
  );
});

test("a receipt has its lines and amounts in the reader's language", () => {
  const content: ReceiptContent = {
    seller: 'Example Ltd',
    buyer: { name: 'Ada', email: '' },
    item: 'business',
    seats: 3,
    currency: 'ZAR',
    price: 123_450,
    credit: 1_000,
    amount: 122_450,
    tax: { name: 'VAT', basisPoints: 1_550, amount: 16_433 },
    gateway: 'payfast',
    paidAt: '2026-11-20T12:00:00.000Z',
  };
  const lines = (language: 'en' | 'de') =>
    receiptLines(content, { language }).map((line) => line.join(': ').replaceAll('\u00a0', ' '));
  expect(lines('en')).toEqual([
    'Nolo Business, 30 days, 3 seats: ZAR 1,234.50',
    'Credit for unused days: -ZAR 10.00',
    'Total paid: ZAR 1,224.50',
    'Includes VAT 15.5%: ZAR 164.33',
  ]);
  expect(lines('de')).toEqual([
    'Nolo Business, 30 Tage, 3 Plätze: 1.234,50 ZAR',
    'Gutschrift für ungenutzte Tage: -10,00 ZAR',
    'Bezahlt insgesamt: 1.224,50 ZAR',
    'Darin VAT 15,5 %: 164,33 ZAR',
  ]);
  expect(itemName('business', 1, 'de')).toBe('Nolo Business, 30 Tage, 1 Platz');
});
