import type { enBegin } from './enBegin.ts';
import type { TranslatedCatalogue } from '../i18n/words.ts';

/** German translation of enBegin.ts; docs/translating.md describes its style. */
export const deBegin = {
  title: 'Neu',
  search: 'Name, Nummer, E-Mail, @Benutzername',
  actions: 'Etwas beginnen',
  link: 'Dein Link und QR-Code',
  status: 'Neuer Status',
  post: 'Beitrag schreiben',
  people: 'Nachricht senden',
  found: 'Personen',
  loading: 'Personen werden geladen',
  searching: 'Personen werden gesucht',
  none: 'Niemand gefunden. Über den Namen findet man, wer das erlaubt, und sonst nur mit der genauen Nummer, E-Mail-Adresse oder @Benutzername.',
  noContacts:
    'Deine Kontakte erscheinen hier. Suche jemanden, oder füge den ersten Kontakt mit der Telefonnummer hinzu.',
  addNumber: '{{number}} hinzufügen',
} as const satisfies TranslatedCatalogue<typeof enBegin>;
