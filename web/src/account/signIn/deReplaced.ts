import type { enReplaced } from './enReplaced.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enReplaced.ts; docs/translating.md describes its style. */
export const deReplaced = {
  title: 'Ist das dein Konto?',
  text: 'Bis {{date}} gehörte diese Nummer zu einem Konto. Wenn du es zurückholst, werden alle seine Geräte abgemeldet, und was seitdem an seinen Anmeldewegen geändert wurde, wird rückgängig gemacht.',
  takeBack: 'Mein Konto zurückholen',
  beginAnew: 'Neues Konto beginnen',
} as const satisfies TranslatedCatalogue<typeof enReplaced>;
