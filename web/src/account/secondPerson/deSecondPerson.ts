import type { enSecondPerson } from './enSecondPerson.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enSecondPerson.ts; docs/translating.md describes its style. */
export const deSecondPerson = {
  offer: 'Zweites Fenster als {{name}} öffnen',
  why: 'Allein hier? Das ist eine Demo: Sprich in einem zweiten Fenster mit einer zweiten Person und sieh beide Seiten live.',
  arriving: '{{name}} meldet sich an\u00a0…',
  failed: 'Die zweite Person konnte sich nicht anmelden',
  hello: 'Hallo, hier ist {{name}}, die zweite Person dieser Demo. Schreib zurück und behalte beide Fenster im Blick.',
} as const satisfies TranslatedCatalogue<typeof enSecondPerson>;
