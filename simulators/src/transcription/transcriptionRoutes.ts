import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import express, { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { SimulatorsConfig } from '../config.ts';
import type { PreparedTranscription, TranscriptionSimulation } from './TranscriptionSimulation.ts';
import {
  fieldMissing,
  fileTooLarge,
  fileTooShort,
  formats,
  formMissing,
  keyMissing,
  maxUploadBytes,
  namedErrors,
  type TranscriptionError,
} from './transcriptionErrors.ts';

const defaultTranscript = 'Words from a voice note.';
const models: ReadonlySet<string> = new Set(['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe']);
/** Minimum size of a tenth of a second of sound in any accepted format, in bytes. */
const leastBytes = 100;

const answers = z.array(
  z.object({
    text: z.string().optional(),
    seconds: z.number().nonnegative().optional(),
    error: z.enum([...(Object.keys(namedErrors) as (keyof typeof namedErrors)[]), 'not_json']).optional(),
    retryAfterSeconds: z.number().nonnegative().optional(),
    delayMs: z.number().int().nonnegative().max(600_000).optional(),
    cut: z.boolean().optional(),
  }),
);

function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function answerError(response: Response, { status, ...error }: TranscriptionError): void {
  response.status(status).json({ error });
}

/** Reads a request's form with Node's own parser. */
async function readForm(request: Request): Promise<FormData | undefined> {
  if (!(request.body instanceof Buffer)) return undefined;
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const bytes = new Uint8Array(request.body);
  return await new globalThis.Response(bytes, { headers }).formData().catch(() => undefined);
}

const textOf = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

function findError(form: FormData): TranscriptionError | undefined {
  const file = form.get('file');
  if (!(file instanceof File)) return fieldMissing('file');
  const model = textOf(form, 'model');
  if (model === '') return fieldMissing('model');
  if (!models.has(model)) return namedErrors.model_not_found;
  if (file.size > maxUploadBytes) return fileTooLarge(file.size);
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase();
  if (!formats.some((one) => one === extension)) return namedErrors.invalid_file;
  return file.size < leastBytes ? fileTooShort : undefined;
}

function answerWords(
  response: Response,
  format: string,
  { text = defaultTranscript, seconds }: PreparedTranscription,
): void {
  const usage = seconds === undefined ? {} : { usage: { type: 'duration', seconds } };
  if (format === 'text') response.type('text/plain').send(`${text}\n`);
  else if (format === 'verbose_json') {
    response.json({ task: 'transcribe', language: 'english', duration: seconds ?? 1, text, segments: [], ...usage });
  } else response.json({ text, ...usage });
}

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
export function transcriptionRoutes({
  config,
  simulation,
}: {
  config: SimulatorsConfig;
  simulation: TranscriptionSimulation;
}): Router {
  const router = Router();

  const refusal = (request: Request): TranscriptionError | undefined => {
    const [scheme = '', key = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme.toLowerCase() !== 'bearer' || key === '') return keyMissing;
    return same(key, config.TRANSCRIBE_API_KEY.reveal()) ? undefined : namedErrors.invalid_api_key;
  };

  router.post(
    '/',
    express.raw({ type: 'multipart/form-data', limit: maxUploadBytes + 65_536 }),
    async (request, response) => {
      const refused = refusal(request);
      if (refused) return answerError(response, refused);
      const form = await readForm(request);
      if (!form) return answerError(response, formMissing);
      const wrong = findError(form);
      if (wrong) return answerError(response, wrong);
      const file = form.get('file') as File;
      const format = textOf(form, 'response_format') || 'json';
      simulation.recordRequest({
        model: textOf(form, 'model'),
        responseFormat: format,
        language: textOf(form, 'language') || null,
        fileName: file.name,
        contentType: file.type,
        bytes: file.size,
      });
      const answer = simulation.next();
      if (answer.delayMs !== undefined) {
        const gone = new AbortController();
        response.once('close', () => gone.abort());
        await delay(answer.delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
        if (gone.signal.aborted) return;
      }
      if (answer.cut === true) return void request.socket.destroy();
      if (answer.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(answer.retryAfterSeconds));
      if (answer.error === 'not_json') {
        response.status(502).type('html').send('<html><body><h1>502 Bad Gateway</h1></body></html>');
      } else if (answer.error !== undefined) answerError(response, namedErrors[answer.error]);
      else answerWords(response, format, answer);
    },
  );
  return router;
}

/** Adds the simulator's own routes: setting the answers, and reading the requests received. */
export function transcriptionControlRoutes(simulation: TranscriptionSimulation): Router {
  const router = Router();
  router.put('/answers', express.json({ limit: '64kb' }), (request, response) => {
    const parsed = answers.safeParse(request.body);
    if (!parsed.success) {
      response.status(400).json({ code: 'invalid_request', message: z.prettifyError(parsed.error) });
      return;
    }
    simulation.prepare(parsed.data);
    response.status(204).end();
  });
  router.get('/requests', (_request, response) => void response.json({ requests: simulation.requests }));
  return router;
}
