import type { BillingWords } from './words.ts';

const where = (origin: string) => `Du kannst es dir hier ansehen: ${origin}/profile`;

/** German texts of this service for people; docs/translating.md describes the style. */
export const deWords: BillingWords = {
  letters: {
    receipt: ({ receipt, origin }) => ({
      subject: `Quittung ${receipt}`,
      lines: ['Danke. Deine Zahlung ist angekommen, die Quittung hängt an.', where(origin)],
    }),
    reminder: ({ what, day, origin }) => ({
      subject: day === undefined ? `${what} endet bald` : `${what} endet am ${day}`,
      lines: [
        `${day === undefined ? `${what} endet bald.` : `${what} ist bis zum ${day} bezahlt.`} Es wird nichts automatisch abgebucht: Um weiterzumachen, bezahle die nächsten 30 Tage.`,
        where(origin),
      ],
    }),
    grace: ({ what, day, origin }) => ({
      subject: `${what} ist abgelaufen`,
      lines: [
        `${what} ist nicht mehr bezahlt. Bis zum ${day} geht alles weiter wie bisher, danach gelten die Grenzen des Tarifs Free. Von dem, was du gesichert hast, geht nichts verloren.`,
        where(origin),
      ],
    }),
    ended: ({ what, origin }) => ({
      subject: `${what} ist zu Ende`,
      lines: [
        `${what} ist zu Ende, und es gelten die Grenzen des Tarifs Free. Von dem, was du gesichert hast, geht nichts verloren.`,
        where(origin),
      ],
    }),
    invitation: ({ who, origin }) => ({
      subject: 'Du bist zu Nolo eingeladen',
      lines: [`${who} lädt dich zu Nolo ein: ${origin}/`],
    }),
    seat: ({ who, origin }) => ({
      subject: 'Ein Platz für dich',
      lines: [
        `${who} bietet dir einen Platz in einem Tarif Business an.`,
        'Nimmst du ihn an, sieht diese Person, wie viel du vom Tarif verbrauchst, auf wie vielen Geräten du angemeldet bist und an welchem Tag du zuletzt da warst, aber nie, was du schreibst oder aufbewahrst.',
        `Annehmen oder ablehnen kannst du hier: ${origin}/team`,
      ],
    }),
  },
  bought: {
    plus: 'Dein Tarif Plus',
    business: 'Dein Tarif Business',
    storage: 'Dein zusätzlicher Speicher',
    transcription: 'Dein Transkriptionspaket',
  },
  boughtAnything: 'Dein Tarif',
  somebody: 'Jemand',
  items: {
    plus: 'Nolo Plus, 30 Tage',
    business: 'Nolo Business, 30 Tage',
    storage: '20\u00a0GB zusätzlicher Speicher, 30 Tage',
    transcription: 'Transkriptionspaket mit 100 Stunden, 30 Tage',
  },
  seats: (count) => (count === 1 ? '1 Platz' : `${count} Plätze`),
  receipt: {
    title: 'Quittung',
    file: (number) => `quittung-${number}.pdf`,
    number: (number) => `Nummer: ${number}`,
    date: (day) => `Datum: ${day}`,
    paid: (day, gateway) => `Bezahlt: ${day} über ${gateway}`,
    buyer: (buyer) => `An: ${buyer}`,
    credit: 'Gutschrift für ungenutzte Tage',
    total: 'Bezahlt insgesamt',
    includes: (tax, percent) => `Darin ${tax} ${percent}`,
  },
};
