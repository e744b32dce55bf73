import type { enConnect } from './enConnect.ts';
import type { Words } from '../i18n/words.ts';

/** enConnect.ts in German; docs/translating.md says how Nolo speaks it. */
export const deConnect = {
  done: 'Verbunden. Du kannst dieses Fenster schließen.',
  notDone: 'Nicht verbunden. Schließ dieses Fenster und versuche es in Nolo noch einmal.',
} as const satisfies Words<typeof enConnect>;
