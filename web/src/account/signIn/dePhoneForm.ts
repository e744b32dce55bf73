import type { enPhoneForm } from './enPhoneForm.ts';
import type { Words } from '../../i18n/words.ts';

/** enPhoneForm.ts in German; docs/translating.md says how Nolo speaks it. */
export const dePhoneForm = {
  phoneLead: 'Wir senden dir einen 6-stelligen Code per SMS.',
  newClosed: 'Neue Konten gibt es hier zurzeit nicht.',
  newInvited: 'Neue Konten gibt es hier für alle, die jemand unter seinen Kontakten hat.',
  sending: 'Wird gesendet\u00a0…',
  demoHint: 'Demo: Es wird keine SMS gesendet. Nimm den Code {{code}}.',
  codeTitle: 'Code eingeben',
  codeLead: 'Wir haben einen 6-stelligen Code gesendet an',
  codeLabel: 'Bestätigungscode',
  completeRegistration: 'Anmeldung abschließen',
  verifying: 'Wird geprüft\u00a0…',
  resend: 'Neuen Code senden',
  resendIn: 'Neuer Code in {{time}}',
  phoneHint: 'So, wie du sie zu Hause wählst, oder mit + und Ländervorwahl.',
  otherWay: 'Oder melde dich anders an:',
  traditionalSignIn: 'Klassisch anmelden',
  openOutbox: 'Ansehen, was gesendet worden wäre',
  codeSent: 'Code gesendet',
  registered: 'Konto angelegt',
  signedIn: 'Angemeldet',
  errors: {
    phoneRequired: { title: 'Telefonnummer fehlt', text: 'Bitte gib eine gültige Telefonnummer ein' },
    codeRequired: {
      title: 'Bestätigungscode fehlt',
      text: 'Bitte gib den Bestätigungscode ein',
    },
    sendRefused: 'Code konnte nicht gesendet werden',
    sendFailed: {
      title: 'Fehler',
      text: 'Der Bestätigungscode konnte nicht gesendet werden. Bitte versuche es noch einmal.',
    },
    verifyRefused: 'Bestätigung fehlgeschlagen',
    verifyFailed: { title: 'Fehler', text: 'Der Code konnte nicht geprüft werden. Bitte versuche es noch einmal.' },
  },
} as const satisfies Words<typeof enPhoneForm>;
