import type { enSecondStep } from './enSecondStep.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enSecondStep.ts; docs/translating.md describes its style. */
export const deSecondStep = {
  title: 'Bestätigung in zwei Schritten',
  appLead: 'Gib den Code ein, den deine Authenticator-App für Nolo zeigt.',
  appCode: 'Code aus der App',
  recoveryLead: 'Gib einen der Wiederherstellungscodes ein, die du aufbewahrt hast. Jeder gilt einmal.',
  recoveryCode: 'Wiederherstellungscode',
  submit: 'Anmelden',
  busy: 'Anmeldung läuft …',
  useRecovery: 'Wiederherstellungscode verwenden',
  useApp: 'Authenticator-App verwenden',
  none: 'Ich habe nichts davon',
  failed: 'Der Code konnte nicht geprüft werden. Bitte versuche es noch einmal.',
  restart: 'Noch einmal mit meiner Nummer beginnen',
  waitTitle: 'Ohne den zweiten Schritt hinein',
  waitText:
    'Frag nach dem Konto und warte sieben Tage. Alle seine Geräte und seine Mailadresse erfahren sofort davon und können ablehnen. Tut das niemand, melde dich ab dem {{date}} mit deiner Nummer an: Dann genügt sie, und die Bestätigung in zwei Schritten wird ausgeschaltet.',
  waitElse:
    'Ist noch ein Gerät angemeldet, schalte die Bestätigung in zwei Schritten lieber dort aus, unter Einstellungen, Geräte.',
  waitNot:
    'Diese Nummer gehört nicht mehr zum Konto, deshalb öffnet es nur der zweite Schritt. Zurückholen lässt es sich sieben Tage lang, nachdem die Nummer geändert wurde.',
  ask: 'Nach dem Konto fragen',
  asking: 'Wird gefragt …',
  askFailed: 'Nach dem Konto konnte nicht gefragt werden. Bitte versuche es noch einmal.',
  waitingTitle: 'Das Konto öffnet sich am {{date}}',
  waitingText:
    'Wer in ihm angemeldet ist, hat davon erfahren und kann bis dahin ablehnen. Komm dann wieder und melde dich mit deiner Nummer an: Dann genügt sie.',
} as const satisfies TranslatedCatalogue<typeof enSecondStep>;
