import type { enVoice } from './enVoice.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German version of enVoice.ts. docs/translating.md defines the tone. */
export const deVoice = {
  bar: 'Sprachnachricht',
  recording: 'Aufnahme läuft',
  starting: 'Mikrofon startet',
  level: 'Pegel',
  cancel: 'Aufnahme abbrechen',
  send: 'Sprachnachricht senden',
  slide: 'Zum Abbrechen wischen',
  hold: 'Aufnahme anhalten',
  goOn: 'Aufnahme fortsetzen',
  paused: 'Angehalten',
  listen: 'Aufnahme anhören',
  processing: 'Wird verarbeitet\u00a0…',
  longest: 'Eine Sprachnachricht kann eine Stunde dauern. Hier wurde sie beendet und kann gesendet werden.',
  microphone: {
    title: 'Aufnahme fehlgeschlagen',
    text: 'Kein Zugriff auf das Mikrofon. Bitte prüfe, ob Nolo es benutzen darf.',
  },
  transcription: {
    title: 'Keine Transkription',
    text: 'Die Sprachnachricht ist gesendet, aber die Transkription ist fehlgeschlagen.',
  },
  play: 'Abspielen',
  pause: 'Anhalten',
  noteFrom: 'Sprachnachricht von {{name}}, {{time}}',
  unplayed: 'Noch nicht angehört',
  position: 'Stelle',
  at: '{{time}} von {{total}}',
  speed: 'Tempo: {{speed}}',
  gone: 'Diese Sprachnachricht konnte nicht geladen werden.',
} as const satisfies TranslatedCatalogue<typeof enVoice>;
