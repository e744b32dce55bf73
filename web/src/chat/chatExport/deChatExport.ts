import type { TranslatedCatalogue } from '../../i18n/words.ts';
import type { enChatExport } from './enChatExport.ts';

/** German version of enChatExport.ts. docs/translating.md defines the tone. */
export const deChatExport = {
  title: 'Chat exportieren',
  text: 'Speichert diesen Chat als Archiv (ZIP) auf diesem Gerät: eine Seite zum Lesen und eine Datei für Programme. Es entsteht hier, so wie dieses Gerät den Chat liest; niemand erfährt davon.',
  leftOut: 'Nachrichten, die verschwinden, und was gelöscht wurde, sind nicht dabei.',
  files: 'Mit Fotos, Videos und Dateien',
  filesHint: 'So, wie sie gesendet wurden. Das kann viel sein.',
  begin: 'Exportieren',
  running: 'Das Archiv entsteht',
  keepOpen: 'Lass das hier offen, bis es da ist.',
  stop: 'Abbrechen',
  done: 'Das Archiv ist gespeichert',
  counted_one: '{{count}} Nachricht',
  counted_other: '{{count}} Nachrichten',
  missing_one: '{{count}} Datei fehlt darin: Sie ließ sich nicht laden, oder das Archiv war voll.',
  missing_other: '{{count}} Dateien fehlen darin: Sie ließen sich nicht laden, oder das Archiv war voll.',
  failed: 'Das Archiv konnte nicht erstellt werden',
  lead: 'Aus Nolo exportiert am {{date}}',
  edited: 'bearbeitet',
  forwarded: 'weitergeleitet',
} as const satisfies TranslatedCatalogue<typeof enChatExport>;
