import type { enPalette } from './enPalette.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enPalette.ts; docs/translating.md describes its style. */
export const dePalette = {
  title: 'Alles finden, alles tun',
  placeholder: 'Chat, Person, Nachricht, Aktion',
  results: 'Treffer',
  chats: 'Chats',
  people: 'Personen',
  actions: 'Aktionen',
  settings: 'Einstellungen',
  nothing: 'Nichts gefunden',
  searching: 'Suche läuft\u00a0…',
  goTo: '{{place}} öffnen',
  lightTheme: 'Helles Farbschema',
  darkTheme: 'Dunkles Farbschema',
  systemTheme: 'Farbschema des Systems',
  shortcuts: 'Tastenkürzel',
} as const satisfies TranslatedCatalogue<typeof enPalette>;
