import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@nolo/kit/clock';
import { encodeFormBody } from '@nolo/kit/encodeFormBody';
import type { z } from 'zod';
import type { HiddenSecret } from '../domain/platform.ts';
import { PlatformError } from '../domain/PlatformError.ts';

export interface PlatformHttpCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Readonly<Record<string, string | undefined>>;
  headers?: Readonly<Record<string, string>>;
  token?: HiddenSecret | undefined;
  json?: object;
  form?: Readonly<Record<string, string | undefined>>;
  body?: FormData | Uint8Array;
  signal: AbortSignal;
  /**
   * True for the request that makes a post public. If it gets no response, or a 5xx one, the post may be public anyway.
   */
  commits?: boolean;
}

export interface PlatformHttpReply {
  /** Time of the request by our clock. */
  readonly at: Date;
  readonly status: number;
  readonly headers: Headers;
  /** Body as JSON. Undefined for other formats. */
  readonly body: unknown;
}

/** Maps a platform's refusal to an error. */
export type MapRefusalToError = (reply: PlatformHttpReply) => PlatformError;

export interface PlatformHttpClient {
  readonly clock: Clock;
  /** @throws PlatformError for every response that is not a success */
  call(address: string, call: PlatformHttpCall): Promise<PlatformHttpReply>;
  read<Schema extends z.ZodType>(address: string, schema: Schema, call: PlatformHttpCall): Promise<z.output<Schema>>;
}

const maxReplyBytes = 1024 * 1024;
/** Timeouts; uploads take longer than queries. */
const timeoutMs = { question: 15_000, upload: 120_000 };

/** Error codes that mean the request never reached the platform. */
const neverSent: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

export function createPlatformHttpClient(explain: MapRefusalToError, clock: Clock): PlatformHttpClient {
  const call = async (address: string, call: PlatformHttpCall): Promise<PlatformHttpReply> => {
    const reply = await send(address, call, clock);
    if (reply.status >= 200 && reply.status < 300) return reply;
    const error = explain(reply);
    // Meta also sends "unknown, try again" with status 400.
    if (!call.commits || (reply.status < 500 && error.reason !== 'platform_down')) throw error;
    const { reason, retryAt, status, code } = error;
    throw new PlatformError(reason, { retryAt, status, code, mayBeDone: true });
  };
  return {
    clock,
    call,
    async read(address, schema, options) {
      const { body, status } = await call(address, options);
      const parsed = schema.safeParse(body);
      if (parsed.success) return parsed.data;
      throw new PlatformError('platform_down', {
        status,
        code: 'unreadable_reply',
        mayBeDone: options.commits === true,
      });
    },
  };
}

async function send(address: string, call: PlatformHttpCall, clock: Clock): Promise<PlatformHttpReply> {
  const limit = call.body === undefined ? timeoutMs.question : timeoutMs.upload;
  const url = new URL(address);
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value);
  const { body, contentType } = await bodyOf(call);
  const at = clock.now();
  try {
    const response = await fetch(url, {
      method: call.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(call.token && { authorization: `Bearer ${call.token.reveal()}` }),
        ...(contentType && { 'content-type': contentType }),
        ...call.headers,
      },
      body,
      // Tokens and media are sent only to the address that the operator configured.
      redirect: 'error',
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(limit)]),
    });
    return { at, status: response.status, headers: response.headers, body: await readBody(response) };
  } catch (error) {
    const code = causeOf(error);
    throw new PlatformError('unreachable', { code, mayBeDone: call.commits === true && !neverSent.has(code) });
  }
}

type Body = string | Uint8Array<ArrayBuffer> | URLSearchParams | null;

async function bodyOf({ json, form, body }: PlatformHttpCall): Promise<{ body: Body; contentType?: string }> {
  if (json) return { body: JSON.stringify(json), contentType: 'application/json' };
  if (body instanceof FormData) {
    const { bytes, contentType } = await encodeFormBody(body);
    return { body: bytes, contentType };
  }
  if (!form) return { body: body === undefined ? null : (body as Uint8Array<ArrayBuffer>) };
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) fields.set(name, value);
  return { body: fields };
}

async function readBody(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxReplyBytes) throw new Error('endless_reply');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the code of an error below HTTP. Its message may contain addresses. */
function causeOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? 'unknown';
}

/** Maps a status to an error, after adapters found nothing more specific. */
export function mapStatusToError(reply: PlatformHttpReply, code?: string | number): PlatformError {
  const { status } = reply;
  const details = { status, code };
  if (status === 401) return new PlatformError('authentication_expired', details);
  if (status === 403) return new PlatformError('permission_missing', details);
  if (status === 413) return new PlatformError('media_refused', details);
  if (status === 429) return new PlatformError('rate_limited', { ...details, retryAt: parseRetryAfter(reply) });
  if (status === 408 || status >= 500) {
    return new PlatformError('platform_down', { ...details, retryAt: parseRetryAfter(reply) });
  }
  return new PlatformError('refused', details);
}

/** Parses Retry-After, in seconds or as a date (RFC 9110, section 10.2.3). */
export function parseRetryAfter({ at, headers }: PlatformHttpReply): Date | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  return /^\d+$/.test(value) ? secondsFromNow(Number(value), at) : dateIfValid(new Date(value));
}

/** Parses a header with seconds since 1970, as used by X and the AT protocol. */
export function parseEpochSecondsHeader(headers: Headers, name: string): Date | undefined {
  const value = headers.get(name);
  return value !== null && /^\d+$/.test(value) ? dateIfValid(new Date(Number(value) * 1_000)) : undefined;
}

export function dateIfValid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Converts seconds from now, as platforms send them, to a time. */
export function secondsFromNow(seconds: number, now: Date): Date {
  return new Date(now.getTime() + seconds * 1_000);
}

/**
 * Polls until media is ready, for as long as one attempt may wait.
 *
 * @throws PlatformError media_processing if it is not ready by then; another attempt continues with it.
 */
export async function waitUntilMediaReady(
  poll: () => Promise<{ ready: true } | { ready: false; waitMs: number }>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  limitMs = 30_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await poll();
    if (found.ready) return;
    const left = end - performance.now();
    if (found.waitMs > left) {
      throw new PlatformError('media_processing', {
        retryAt: new Date(clock.now().getTime() + Math.max(found.waitMs, 5_000)),
      });
    }
    // Sleeps: the platform states when to poll again.
    await sleep(found.waitMs, undefined, { signal });
  }
}

/** Returns the earliest time of our own post. Clocks differ by some minutes. */
export function earliestOwnPostTime(since: Date): Date {
  return new Date(since.getTime() - 5 * 60_000);
}
