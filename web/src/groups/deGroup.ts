import type { enGroup } from './enGroup.ts';
import type { TranslatedCatalogue } from '../i18n/words.ts';

/** German version of enGroup.ts. docs/translating.md defines the tone. */
export const deGroup = {
  create: 'Gruppe erstellen',
  createChat: 'Gruppenchat erstellen',
  joinChat: 'Gruppenchat beitreten',
  newGroup: 'Neue Gruppe',
  someone: 'Jemand',
  preview: '{{name}}: {{text}}',
  members_one: '{{count}} Mitglied',
  members_other: '{{count}} Mitglieder',
  joinCall: 'Teilnehmen',
  whoInCall: 'Anzeigen, wer im Anruf ist',
  shareOf: '{{name}} teilen',
  toDecide_one: '{{count}} Eintrag zu prüfen',
  toDecide_other: '{{count}} Einträge zu prüfen',
  askToJoin_one: '{{count}} Person möchte beitreten',
  askToJoin_other: '{{count}} Personen möchten beitreten',
  requestDeclined: 'Deine Anfrage an {{name}} wurde abgelehnt',
  requestDeclinedUnknown: 'Deine Anfrage an eine Gruppe wurde abgelehnt',
  removed: 'Du bist nicht mehr in {{name}}',
  notFoundText: 'Vielleicht wurde sie geschlossen, ihr Code hat sich geändert, oder du bist nicht mehr dabei.',
} as const satisfies TranslatedCatalogue<typeof enGroup>;
