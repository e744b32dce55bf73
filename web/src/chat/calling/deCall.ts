import type { enCall } from './enCall.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enCall.ts; docs/translating.md describes its style. */
export const deCall = {
  voice: 'Sprachanruf',
  video: 'Videoanruf',
  voiceWith: 'Sprachanruf mit {{name}}',
  videoWith: 'Videoanruf mit {{name}}',
  joinVoice: 'Mit Ton teilnehmen',
  joinVideo: 'Mit Video teilnehmen',
  joinVoiceOf: 'Am Anruf in {{name}} mit Ton teilnehmen',
  joinVideoOf: 'Am Anruf in {{name}} mit Video teilnehmen',
  inProgress: 'Anruf läuft',
  offline: 'Anrufe brauchen eine Verbindung',
  soon: '{{name}} wird angerufen',
  soonVideo: 'Videoanruf bei {{name}}',
  inCall: 'Du bist in einem Anruf',
  missed: 'Verpasster Sprachanruf',
  missedVideo: 'Verpasster Videoanruf',
  noAnswer: 'Sprachanruf, keine Antwort',
  noAnswerVideo: 'Videoanruf, keine Antwort',
  declined: 'Abgelehnter Sprachanruf',
  declinedVideo: 'Abgelehnter Videoanruf',
  failed: 'Sprachanruf fehlgeschlagen',
  failedVideo: 'Videoanruf fehlgeschlagen',
  back: 'Zurückrufen',
  again: 'Noch einmal anrufen',
} as const satisfies TranslatedCatalogue<typeof enCall>;
