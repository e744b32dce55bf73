import type { TranslatedCatalogue } from '../../i18n/words.ts';
import type { enLastSeen } from './enLastSeen.ts';

/** German version of enLastSeen.ts. docs/translating.md defines the tone. */
export const deLastSeen = {
  today: 'Zuletzt heute um {{time}} da',
  yesterday: 'Zuletzt gestern um {{time}} da',
  on: 'Zuletzt am {{date}} da',
  short: 'Zuletzt {{at}}',
} satisfies TranslatedCatalogue<typeof enLastSeen>;
