import type { enClosing } from './enClosing.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enClosing.ts; docs/translating.md describes its style. */
export const deClosing = {
  title: 'Dein Konto wird gelöscht',
  lead: 'Es ist geschlossen, seit es gelöscht werden soll, und alles darin verschwindet am {{date}} endgültig.',
  text: 'Behalte es, und alles ist wie vorher: dein Profil, deine Kontakte, Gruppen und Nachrichten. Geplante Beiträge bleiben abgesagt.',
  keep: 'Mein Konto behalten',
  leave: 'Wie geplant löschen',
  kept: 'Dein Konto gehört wieder dir',
  keepFailed: 'Dein Konto konnte nicht behalten werden',
} as const satisfies TranslatedCatalogue<typeof enClosing>;
