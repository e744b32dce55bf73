import type { enRequests } from './enRequests.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German version of enRequests.ts. docs/translating.md defines the tone. */
export const deRequests = {
  title: 'Nachrichtenanfragen',
  waiting_one: '{{count}} Nachrichtenanfrage',
  waiting_other: '{{count}} Nachrichtenanfragen',
  hint: 'Von Personen, die nicht in deinen Kontakten sind.',
  group: {
    text_one: '{{name}} lädt dich in diese Gruppe ein. {{count}} Person ist darin.',
    text_other: '{{name}} lädt dich in diese Gruppe ein. {{count}} Personen sind darin.',
    decline: 'Ablehnen',
    block: '{{name}} blockieren',
    acceptFailed: 'Einladung konnte nicht angenommen werden',
    declineFailed: 'Einladung konnte nicht abgelehnt werden',
  },
  sent: 'Anfrage gesendet',
  sentGroups: 'Gruppen, denen du beitreten möchtest',
  withdraw: 'Zurückziehen',
  withdrawOf: 'Anfrage an {{name}} zurückziehen',
  withdrawFailed: 'Die Anfrage konnte nicht zurückgezogen werden',
  back: 'Zurück zu den Chats',
  stranger: 'Nicht in deinen Kontakten',
  messages: 'Nachrichten von {{name}}',
  notLoaded: 'Wird erst geladen, wenn du annimmst',
  question: '{{name}} möchte dir schreiben',
  unseen: 'Bis du annimmst, sieht {{name}} weder, dass die Nachrichten ankamen, noch, dass du sie gelesen hast.',
  accept: 'Annehmen',
  delete: 'Löschen',
  deleteTitle: 'Die Anfrage von {{name}} löschen?',
  deleteText: '{{name}} erfährt davon nichts. Kommt eine neue Nachricht, wirst du wieder gefragt.',
  deleteFailed: 'Anfrage konnte nicht gelöscht werden',
  acceptFailed: 'Anfrage konnte nicht angenommen werden',
} as const satisfies TranslatedCatalogue<typeof enRequests>;
