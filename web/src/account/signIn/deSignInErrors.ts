import type { enSignInErrors } from './enSignInErrors.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enSignInErrors.ts; docs/translating.md describes its style. */
export const deSignInErrors = {
  cancelled: 'Die Anmeldung wurde abgebrochen.',
  expired: 'Die Anmeldung hat zu lange gedauert. Bitte versuche es noch einmal.',
  unavailable: 'Dieser Anmeldeweg ist gerade nicht verfügbar. Versuche es später noch einmal oder nimm dein Telefon.',
  limited: 'Es gab zu viele Versuche. Bitte warte ein wenig und versuche es noch einmal.',
  suspended: 'Dieses Konto ist gesperrt.',
  registration_closed: 'Neue Konten gibt es hier zurzeit nicht.',
  registration_invited:
    'Neue Konten gibt es hier nur auf Einladung: Melde dich mit einer Telefonnummer an, die jemand unter seinen Kontakten hat, oder über den Link deiner Einladung.',
  failed: 'Die Anmeldung hat nicht geklappt. Bitte versuche es noch einmal.',
} as const satisfies TranslatedCatalogue<typeof enSignInErrors>;
