import type { enErrors } from './enErrors.ts';
import type { TranslatedCatalogue } from './words.ts';

/** German version of enErrors.ts. docs/translating.md defines the tone. */
export const deErrors = {
  unauthorized: { title: 'Nicht angemeldet', text: 'Du bist abgemeldet. Du wirst wieder angemeldet\u00a0…' },
  suspended: { title: 'Konto gesperrt', text: 'Du bist abgemeldet. Melde dich an, um den Grund zu lesen.' },
  network: 'Keine Verbindung. Bitte versuche es noch einmal.',
  unexpected: 'Etwas ist schiefgelaufen. Bitte versuche es noch einmal.',
  generic: 'Fehler',
  searchUsers: 'Suche nach Personen fehlgeschlagen',
  startConversation: 'Chat konnte nicht begonnen werden',
  addContact: 'Kontakt konnte nicht hinzugefügt werden. Bitte versuche es noch einmal.',
  copyLink: 'Link konnte nicht kopiert werden',
  copy: 'Es konnte nicht kopiert werden. Bitte markiere und kopiere es von Hand.',
  loadConversations: 'Chats konnten nicht geladen werden',
  fetchConversations: 'Chats konnten nicht abgerufen werden',
  fetchMessages: 'Nachrichten konnten nicht abgerufen werden',
  sendMessage: 'Nachricht konnte nicht gesendet werden',
  sendVoiceMessage: 'Sprachnachricht konnte nicht gesendet werden',
  updateProfile: 'Profil konnte nicht geändert werden',
} as const satisfies TranslatedCatalogue<typeof enErrors>;
