import type { enLanding } from './enLanding.ts';
import type { TranslatedCatalogue } from '../i18n/words.ts';

/** German version of enLanding.ts. docs/translating.md defines the tone. */
export const deLanding = {
  phone: 'Telefon',
  signIn: 'Anmelden',
  welcome: 'Willkommen bei Nolo',
  headline: 'Gute Gespräche, nach deinen Regeln.',
  lead: 'Ein ruhiger Ort für Gespräche mit Menschen, die du kennst. Schnell, ohne Werbung und Tracker, und durch und durch quelloffen.',
  getStartedWithPhone: 'Mit Telefon loslegen',
  traditionalSignIn: 'Klassisch anmelden',
  noScript: 'Diese Seite geht ohne JavaScript; Nolo selbst braucht es.',
  featuresHeading: 'Wofür Nolo da ist',
  encryptedTitle: 'Ende-zu-Ende-verschlüsselt',
  encryptedText: 'Nachrichten, die nur lesen kann, wer am Gespräch beteiligt ist.',
  encryptedNotYet:
    'Bis das bewiesen ist, sagen wir es offen: Heute sind sie auf dem Weg geschützt und liegen auf dem Server.',
  realtimeTitle: 'Nachrichten in Echtzeit',
  realtimeText:
    'Nachrichten kommen an, sobald sie gesendet sind. Sieh, wer schreibt, was zugestellt und gelesen ist, und mach auf jedem Gerät da weiter, wo du warst.',
  meetingsTitle: 'Meetings in der Gruppe',
  meetingsText: 'Videoräume mit einem Code aus sechs Zeichen. Der Host kann Gäste ohne Konto einlassen.',
  footer: 'Quelloffen unter Apache-2.0. Keine Werbung, keine Analysedienste, keine Tracker.',
  picture: 'Ein Chat in Nolo: Zwei Freunde verabreden, wo sie sich treffen.',
  demo: {
    name: 'Amara Dlamini',
    status: 'Online',
    day: 'Heute',
    one: 'Dieses Licht über der Bucht!',
    two: 'Bleib da. Zwanzig Minuten?',
    three: 'Bringst du die gute Kanne mit?',
    four: 'Eingepackt, und zwei Becher',
    typing: 'Amara schreibt',
    otherName: 'Thabo Mokoena',
    otherText: 'Dann um neun am Tor',
  },
  planned: 'Geplant',
  legalLabel: 'Rechtliches',
} as const satisfies TranslatedCatalogue<typeof enLanding>;
