import type { enPhoneForm } from './enPhoneForm.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enPhoneForm.ts; docs/translating.md describes its style. */
export const dePhoneForm = {
  phoneLead: 'Wir senden dir einen 6-stelligen Code per SMS.',
  newClosed: 'Neue Konten gibt es hier zurzeit nicht.',
  newInvited:
    'Neue Konten gibt es hier für alle, die jemand unter seinen Kontakten hat oder die per E-Mail eingeladen sind.',
  invited: 'Du bist eingeladen: Melde dich an, dann hast du ein Konto.',
  sending: 'Wird gesendet\u00a0…',
  demoHint: 'Demo: Der Code ist {{code}}.',
  codeTitle: 'Code eingeben',
  codeLead: 'Wir haben einen 6-stelligen Code gesendet an',
  codeLabel: 'Bestätigungscode',
  completeRegistration: 'Anmeldung abschließen',
  verifying: 'Wird geprüft\u00a0…',
  resend: 'Neuen Code senden',
  resendIn: 'Neuer Code in {{time}}',
  phoneHint: 'So, wie du sie zu Hause wählst, oder mit + und Ländervorwahl.',
  mailTitle: 'Per E-Mail anmelden',
  mailLead: 'Mit der Adresse, die du zu deinem Konto hinzugefügt hast. Wir senden ihr einen 6-stelligen Code.',
  mailLabel: 'E-Mail-Adresse',
  mailCodeLead: 'Wenn sie zu einem Konto gehört, ist ein 6-stelliger Code unterwegs an',
  useMail: 'Stattdessen E-Mail verwenden',
  usePhone: 'Stattdessen Telefonnummer verwenden',
  signIn: 'Anmelden',
  otherWay: 'Oder melde dich anders an:',
  traditionalSignIn: 'Klassisch anmelden',
  openOutbox: 'Ansehen, was gesendet worden wäre',
  codeSent: 'Code gesendet',
  registered: 'Konto angelegt',
  welcomeBack: 'Willkommen zurück',
  errors: {
    phoneRequired: { title: 'Telefonnummer fehlt', text: 'Bitte gib eine gültige Telefonnummer ein' },
    codeRequired: {
      title: 'Bestätigungscode fehlt',
      text: 'Bitte gib den Bestätigungscode ein',
    },
    mailInvalid: 'Bitte gib eine gültige E-Mail-Adresse ein.',
    sendRefused: 'Code konnte nicht gesendet werden',
    sendFailed: {
      title: 'Fehler',
      text: 'Der Bestätigungscode konnte nicht gesendet werden. Bitte versuche es noch einmal.',
    },
    verifyRefused: 'Bestätigung fehlgeschlagen',
    verifyFailed: { title: 'Fehler', text: 'Der Code konnte nicht geprüft werden. Bitte versuche es noch einmal.' },
  },
} as const satisfies TranslatedCatalogue<typeof enPhoneForm>;
