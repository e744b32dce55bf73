import type { enShare } from './enShare.ts';
import type { TranslatedCatalogue } from '../i18n/words.ts';

/** German version of enShare.ts. docs/translating.md defines the tone. */
export const deShare = {
  ways: 'Wege zum Teilen',
  chats: 'In Chats senden',
  system: 'Teilen\u00a0…',
  social: 'Beitrag dazu schreiben',
  received: 'Geteiltes in Chats senden',
  notAll: 'Nicht alle Dateien können gesendet werden',
  failed: 'Das konnte nicht geteilt werden',
} as const satisfies TranslatedCatalogue<typeof enShare>;
