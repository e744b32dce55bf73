import type { Words } from '../i18n/words.ts';
import type { enSignOut } from './enSignOut.ts';

export const deSignOut: Words<typeof enSignOut> = {
  title: 'Von Nolo abmelden?',
  fromLink: 'Ein Link von außerhalb von Nolo bittet darum.',
  text: 'Alles, was Nolo auf diesem Gerät aufbewahrt, wird gelöscht: Nachrichten, Bilder und Listen. Auf dem Server bleiben sie und sind wieder da, wenn du dich neu anmeldest.',
  unsent_one: '{{count}} Nachricht ist noch nicht gesendet und geht verloren.',
  unsent_other: '{{count}} Nachrichten sind noch nicht gesendet und gehen verloren.',
  drafts_one: '{{count}} Entwurf geht verloren.',
  drafts_other: '{{count}} Entwürfe gehen verloren.',
  confirm: 'Abmelden',
};
