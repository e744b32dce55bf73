import { setTimeout as delay } from 'node:timers/promises';
import { reveal, type Secret } from '@nolo/kit/config';
import { encodeFormBody } from '@nolo/kit/encodeFormBody';
import type { Log } from '@nolo/kit/log';
import type { FairQueue } from '@nolo/kit/fairQueue';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import { audioFormatFacts } from '../audio/formats.ts';
import type { TranscriptionEngine, TranscriptionResult, VoiceRecording } from '../domain/ports.ts';
import { audioNotRecognised, audioTooLarge, transcriptionBusy, transcriptionFailed } from '../errors.ts';
import { createVoiceQueue } from './voiceQueue.ts';

export interface OpenAiOptions {
  /** Complete address, `…/v1/audio/transcriptions`. */
  url: string;
  apiKey: Secret | undefined;
  model: string;
  concurrency: number;
  log: Log;
  /** Delay before a retry if the server names none. Doubles with each attempt. */
  retryAfterMs?: number;
}

/** https://platform.openai.com/docs/api-reference/audio/createTranscription, limited to the fields that are read. */
const reply = z.object({
  text: z.string(),
  /** Field of `verbose_json`, which some servers return regardless of the requested format. */
  duration: z.coerce.number().nonnegative().optional(),
  usage: z.looseObject({ type: z.string().optional(), seconds: z.number().nonnegative().optional() }).nullish(),
});

const refusal = z.object({
  error: z.looseObject({ type: z.string().nullish(), code: z.union([z.string(), z.number()]).nullish() }),
});

const tries = 3;
/** Maximum delay that a server may request before a retry. Longer ones fail at once, because a user is waiting. */
const maxRetryAfterMs = 10_000;
const maxReplyBytes = 4 * 1024 * 1024;

/** Refusal by a server: its status and code, but never its message, which may contain anything. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: string, retryAfterMs?: number) {
    super(`the server answered ${status}${code === '' ? '' : ` (${code})`}`);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** True if a retry may succeed. An exhausted quota stays exhausted, whatever Retry-After says. */
  get mayPass(): boolean {
    return [408, 409, 429].includes(this.status) ? this.code !== 'insufficient_quota' : this.status >= 500;
  }
}

/** Client of any server with OpenAI's transcription protocol. */
export class OpenAiEngine implements TranscriptionEngine {
  readonly #options: OpenAiOptions;
  readonly #queue: FairQueue;
  readonly #stopping = new AbortController();

  constructor(options: OpenAiOptions) {
    this.#options = options;
    this.#queue = createVoiceQueue(options.concurrency);
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  async transcribe(userId: UserId, recording: VoiceRecording, signal: AbortSignal): Promise<TranscriptionResult> {
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    return await this.#queue.take(
      async () => {
        try {
          return await this.#askWithRetries(recording, either);
        } catch (error) {
          signal.throwIfAborted();
          // People cannot say anything in less than a tenth of a second.
          if (error instanceof Refused && error.code === 'audio_too_short') return { text: '' };
          throw this.#explain(error);
        }
      },
      { key: userId, cost: recording.seconds, signal: either },
    );
  }

  stop(): Promise<void> {
    this.#stopping.abort(new Error('the service is stopping'));
    return Promise.resolve();
  }

  async #askWithRetries(recording: VoiceRecording, signal: AbortSignal): Promise<TranscriptionResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#ask(recording, signal);
      } catch (error) {
        const refused = error instanceof Refused ? error : undefined;
        // All other errors mean that the server is unreachable or the connection broke.
        const mayPass = refused?.mayPass ?? true;
        const waitMs = refused?.retryAfterMs ?? (this.#options.retryAfterMs ?? 500) * 2 ** (attempt - 1);
        if (!mayPass || attempt === tries || waitMs > maxRetryAfterMs || signal.aborted) throw error;
        await delay(waitMs, undefined, { signal });
      }
    }
  }

  async #ask({ bytes, format }: VoiceRecording, signal: AbortSignal): Promise<TranscriptionResult> {
    const { url, apiKey, model } = this.#options;
    const { mimeType, fileName } = audioFormatFacts[format];
    const form = new FormData();
    form.set('model', model);
    form.set('response_format', 'json');
    form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mimeType }), fileName);
    const { bytes: body, contentType } = await encodeFormBody(form);
    const authorization = apiKey ? { authorization: `Bearer ${reveal(apiKey)}` } : {};
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': contentType, ...authorization },
      body,
      // The key and the audio are sent only to the address that the operator configured.
      redirect: 'error',
      signal,
    });
    const text = await readText(response);
    if (!response.ok) throw new Refused(response.status, codeOf(text), retryAfterMsOf(response));
    const parsed = reply.safeParse(parseJson(text));
    if (!parsed.success) throw new Refused(response.status, 'unreadable_reply');
    const { duration, usage } = parsed.data;
    return { text: parsed.data.text, seconds: duration ?? (usage?.type === 'duration' ? usage.seconds : undefined) };
  }

  /** Maps errors to what callers may know. An invalid key concerns the operator alone. */
  #explain(error: unknown): Error {
    if (!(error instanceof Refused)) return transcriptionFailed('the server could not be reached', error);
    const { status, code, message } = error;
    if (status === 413) return audioTooLarge();
    if (status === 415 || (status === 400 && /audio|file|decode|format/.test(code))) return audioNotRecognised(error);
    if (status === 429 && error.mayPass) return transcriptionBusy();
    if ([401, 403, 404].includes(status) || code === 'insufficient_quota') {
      this.#options.log.error({ status, code }, 'TRANSCRIBE_URL rejected the request; check key, model and quota');
    }
    return transcriptionFailed(message, error);
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxReplyBytes) throw new Refused(response.status, 'endless_reply');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the protocol's error code in a form that is safe to log. */
function codeOf(text: string): string {
  const parsed = refusal.safeParse(parseJson(text));
  if (!parsed.success) return '';
  const { code, type } = parsed.data.error;
  return String(code ?? type ?? '')
    .replace(/[^\w.-]/g, '')
    .slice(0, 60);
}

/** Parses seconds or a date (RFC 9110 section 10.2.3). Servers of this kind send only seconds. */
function retryAfterMsOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}
