import * as z from 'zod/mini';
import { defineRoute } from './route.ts';

/** Transcripts of voice notes, if the operator configured an engine and the user enabled it (decision 32). */
export const transcriptionRoutes = {
  getTranscription: defineRoute({
    method: 'GET',
    path: '/api/transcription',
    access: 'session',
    tag: 'files',
    summary: 'Get how many seconds of voice notes were transcribed for the account this month (UTC), and the limit',
    reply: z.object({
      month: z.string().check(z.regex(/^\d{4}-\d\d$/)),
      usedSeconds: z.int(),
      limitSeconds: z.nullable(z.int()),
    }),
    errors: ['transcription_unavailable'],
  }),
  transcribeVoice: defineRoute({
    method: 'POST',
    path: '/api/transcribe-voice',
    access: 'session',
    tag: 'files',
    summary: 'Transcribe a voice note; the audio is not stored',
    bodyType: 'multipart/form-data',
    fileField: 'audio',
    reply: z.object({ transcription: z.string() }),
    limit: 'transcriptionsPerUser',
    errors: [
      'transcription_unavailable',
      'transcription_off',
      'transcription_limit',
      'transcription_busy',
      'transcription_failed',
      'file_missing',
      'audio_not_recognised',
      'audio_too_long',
      'audio_too_large',
      'form_invalid',
      'upload_incomplete',
    ],
  }),
} as const;
