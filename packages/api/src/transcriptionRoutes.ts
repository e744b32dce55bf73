import * as z from 'zod/mini';
import { route } from './route.ts';

/** Transcripts of voice notes, if the operator configured an engine and the user enabled it (decision 32). */
export const transcriptionRoutes = {
  getTranscription: route({
    method: 'GET',
    path: '/api/transcription',
    access: 'session',
    tag: 'files',
    summary:
      'How many seconds of voice notes were written down for the account in this month (UTC), and how many may be',
    reply: z.object({
      month: z.string().check(z.regex(/^\d{4}-\d\d$/)),
      usedSeconds: z.int(),
      limitSeconds: z.nullable(z.int()),
    }),
    errors: ['transcription_unavailable'],
  }),
  transcribeVoice: route({
    method: 'POST',
    path: '/api/transcribe-voice',
    access: 'session',
    tag: 'files',
    summary: 'Write down what is said in a voice note; it is not kept',
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
