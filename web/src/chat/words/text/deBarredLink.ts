import type { TranslatedCatalogue } from '../../../i18n/words.ts';
import type { enBarredLink } from './enBarredLink.ts';

/** German version of enBarredLink.ts. docs/translating.md defines the tone. */
export const deBarredLink = {
  title: 'Dieser Link ist gesperrt',
  text: 'Die Betreiber dieser Installation haben {{host}} gesperrt, weil die Website als schädlich gilt: Sie könnte es auf Passwörter oder Geld abgesehen haben. Von hier wird sie nicht geöffnet. Kopiere den Link nur, wenn du weißt, was du tust, etwa um jemanden zu warnen.',
  copy: 'Trotzdem kopieren',
  close: 'Lieber nicht',
  copied: 'Gesperrter Link kopiert',
} satisfies TranslatedCatalogue<typeof enBarredLink>;
