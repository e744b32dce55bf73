import type { enConnect } from './enConnect.ts';
import type { TranslatedCatalogue } from '../i18n/words.ts';

/** German version of enConnect.ts. docs/translating.md defines the tone. */
export const deConnect = {
  done: 'Verbunden. Du kannst dieses Fenster schließen.',
  notDone: 'Nicht verbunden. Schließ dieses Fenster und versuche es in Nolo noch einmal.',
} as const satisfies TranslatedCatalogue<typeof enConnect>;
