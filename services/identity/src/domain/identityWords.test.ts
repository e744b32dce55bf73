import { supportedLanguages } from '@nolo/rules';
import { identityWords } from './identityWords.ts';
import { createWebhookDisabledMail } from './ownerMail.ts';
import { createSecurityMail } from './securityMail.ts';
import type { SecurityNoticeKind } from './securityPorts.ts';

const kinds = Object.keys(identityWords.en.notices) as SecurityNoticeKind[];
const noticeFields = {
  change: {
    phoneNumber: '+27825550147',
    previousPhoneNumber: '+27825550258',
    issuer: 'https://login.example',
    opensAt: '2026-12-03T09:00:00Z',
  },
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  now: new Date('2026-11-26T20:12:00Z'),
};
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test.each(kinds)('a notice of %s is written in each language, in its own words', (kind) => {
  const [english, german] = supportedLanguages.map((language) =>
    createSecurityMail({ ...noticeFields, kind, reader: { language } }),
  );
  for (const mail of [english, german]) {
    expect(mail?.subject).not.toBe('');
    expect(mail?.text).toMatch(/Firefox (?:on|auf) Linux/);
    expect(`${mail?.subject}${mail?.text}`).not.toMatch(/undefined|\[object|"|555/);
  }
  expect(german?.subject).not.toBe(english?.subject);
  const sentences = (text = '') => text.split('\n').filter((line) => line !== '');
  expect(sentences(german?.text).filter((line) => sentences(english?.text).includes(line))).toEqual([]);
});

test('a German notice has the time of the person’s own zone', () => {
  const reader = { language: 'de', timeZone: 'Europe/Berlin' } as const;
  const mail = createSecurityMail({ ...noticeFields, kind: 'phone_removed', reader });
  expect(mail.subject).toBe('Telefonnummer deines Nolo-Kontos entfernt');
  expect(plain(mail.text)).toBe(`Aus deinem Nolo-Konto wurde die Nummer mit der Endung 258 entfernt.

Gerät: Firefox auf Linux
Zeit: 26. November 2026 um 21:12 MEZ

Warst du das, musst du nichts tun.

Warst du es nicht, öffne Nolo auf einem angemeldeten Gerät und wähle dort im Hinweis „Das war ich nicht“.

Wer die alte Nummer hat, kann das Konto außerdem sieben Tage lang zurückholen und meldet sich dazu mit ihr an.
`);
});

test('an English notice has the day and the time in its sentence', () => {
  const { text } = createSecurityMail({ ...noticeFields, kind: 'signed_in', reader: { language: 'en' } });
  expect(plain(text)).toContain(
    'Someone signed in to your Nolo account on Firefox on Linux (November 26, 2026 at 8:12 PM UTC).',
  );
});

test.each([true, false])('the owner of a webhook is notified in each language (deleted: %s)', (gone) => {
  const [english, german] = supportedLanguages.map((language) =>
    createWebhookDisabledMail({ host: 'a.example', gone }, language),
  );
  expect(english?.text).toContain('a.example');
  expect(german?.text).toContain('An deinen Webhook bei a.example wird nichts mehr gesendet.');
  expect(german?.text).not.toContain('no longer');
});

test('a code fits into one text message in every language', () => {
  for (const { codeText } of Object.values(identityWords)) {
    const text = codeText('123456', 10);
    expect(text).toContain('123456');
    // A text message holds 160 characters of GSM 03.38, which covers German too.
    expect(text).toMatch(/^[\w äöüÄÖÜß.,:-]{1,160}$/);
  }
});
