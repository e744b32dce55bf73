import type { enShortcuts } from './enShortcuts.ts';
import type { TranslatedCatalogue } from '../i18n/words.ts';

/** German translation of enShortcuts.ts; docs/translating.md describes its style. */
export const deShortcuts = {
  title: 'Tastenkürzel',
  general: 'Allgemein',
  showSheet: 'Diese Liste anzeigen',
  palette: 'Alles finden, alles tun',
  neighbours: 'Voriger Chat, nächster Chat',
  unreadNeighbours: 'Dasselbe unter ungelesenen Chats',
  search: 'Chats durchsuchen',
  closeTopmost: 'Das Oberste schließen',
  notifications: 'Zu den Benachrichtigungen',
  goTo: '{{place}} öffnen',
  conversation: 'Chat',
  send: 'Nachricht senden',
  editLast: 'Ändern, was du zuletzt geschrieben hast',
  newLine: 'Neue Zeile beginnen',
  findMessages: 'Im Chat suchen',
  replyTo: 'Auf die Nachricht antworten',
  selectMessage: 'Nachricht auswählen',
  openMenu: 'Menü der Nachricht öffnen',
  space: 'Leertaste',
  then: 'dann',
} as const satisfies TranslatedCatalogue<typeof enShortcuts>;
