import type { enMissing } from './enMissing.ts';
import type { TranslatedCatalogue } from '../i18n/words.ts';

/** German version of enMissing.ts. docs/translating.md defines the tone. */
export const deMissing = {
  text: 'Unter dieser Adresse ist nichts. Vielleicht ist es umgezogen, oder der Link ist unvollständig.',
  page: 'Diese Seite konnte nicht geladen werden',
} as const satisfies TranslatedCatalogue<typeof enMissing>;
