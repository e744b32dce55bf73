import type { TranslatedCatalogue } from '../i18n/words.ts';
import type { enSignOut } from './enSignOut.ts';

export const deSignOut: TranslatedCatalogue<typeof enSignOut> = {
  title: 'Von Nolo abmelden?',
  fromLink: 'Ein Link von außerhalb von Nolo bittet darum.',
  text: 'Das löscht alles, was Nolo auf diesem Gerät aufbewahrt. Deine Nachrichten und Bilder bleiben auf dem Server und sind wieder da, wenn du dich neu anmeldest.',
  unsent_one: '{{count}} nicht gesendete Nachricht oder Statusmeldung geht verloren.',
  unsent_other: '{{count}} nicht gesendete Nachrichten oder Statusmeldungen gehen verloren.',
  drafts_one: '{{count}} Entwurf geht verloren.',
  drafts_other: '{{count}} Entwürfe gehen verloren.',
  confirm: 'Abmelden',
};
