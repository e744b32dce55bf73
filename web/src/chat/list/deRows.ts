import type { enRows } from './enRows.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German version of enRows.ts. docs/translating.md defines the tone. */
export const deRows = {
  searchMessages: 'Nachrichten mit „{{typed}}“ suchen',
  menu: 'Aktionen für {{name}}',
  pin: 'Anheften',
  unpin: 'Lösen',
  mute: 'Stummschalten',
  unmute: 'Ton wieder an',
  muteHours_one: 'Für {{count}} Stunde',
  muteHours_other: 'Für {{count}} Stunden',
  muteWeek: 'Für eine Woche',
  muteAlways: 'Bis ich es ändere',
  markUnread: 'Als ungelesen markieren',
  markRead: 'Als gelesen markieren',
  clear: 'Chat leeren',
  delete: 'Chat löschen',
  clearTitle: 'Den Chat mit {{name}} leeren?',
  clearText: 'Alle bisherigen Nachrichten verschwinden von allen deinen Geräten, endgültig. Alle anderen behalten sie.',
  deleteTitle: 'Den Chat mit {{name}} löschen?',
  deleteText:
    'Alle bisherigen Nachrichten verschwinden von allen deinen Geräten, endgültig, und mit ihnen der Chat, bis eine neue Nachricht kommt. {{name}} behält sie.',
  clearGroupTitle: 'Den Chat von {{name}} leeren?',
  clearFailed: 'Chat konnte nicht geleert werden',
  deleteFailed: 'Chat konnte nicht gelöscht werden',
  archive: 'Archivieren',
  unarchive: 'Aus dem Archiv holen',
  archived: '{{name}} ist archiviert',
  unarchived: '{{name}} steht wieder in der Liste',
  archiveEmpty: 'Nichts ist archiviert',
  archiveEmptyText: 'Archiviere einen Chat über sein Menü in der Liste, dann ist er hier zu finden.',
  undo: 'Rückgängig',
  keepArchived: 'Chats archiviert lassen',
  keepArchivedText:
    'Chats bleiben archiviert, wenn neue Nachrichten kommen. Sonst kehren sie in die Liste zurück, außer wenn sie stummgeschaltet sind.',
  leave: 'Gruppe verlassen',
  failed: 'Chat konnte nicht geändert werden',
  tooManyPinned: 'Mehr Chats kannst du nicht anheften. Löse zuerst einen.',
} as const satisfies TranslatedCatalogue<typeof enRows>;
