import type { enNaming } from './enNaming.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enNaming.ts; docs/translating.md describes its style. */
export const deNaming = {
  title: 'Wie sollen andere dich nennen?',
  lead: 'Deinen Namen sehen alle, denen du schreibst.',
  lastNameOptional: 'Nachname (freiwillig)',
  pictureOffer: 'Nimm ein Bild dazu, wenn du magst. Das geht auch später.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  firstNameRequired: 'Bitte gib deinen Vornamen ein',
  logout: 'Abmelden',
} as const satisfies TranslatedCatalogue<typeof enNaming>;
