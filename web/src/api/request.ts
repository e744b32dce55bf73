import type { ErrorBody } from '@nolo/api';
import { serverClock } from './serverClock.ts';

/* Requests without the contract's schemas, which are too large for the sign-in page. */

/** Request that the server refused, or that never reached it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Server's text for the user; the translation of `code` takes precedence (decision 18). */
  readonly serverMessage: string;
  readonly details: Record<string, unknown>;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, text: string, retryAfterMs?: number, cause?: unknown) {
    // The specification's generic rule (section 8): status, colon, body text.
    super(`${status}: ${text}`, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? (status === 0 ? 'network_error' : 'unknown_error');
    this.serverMessage = body.message ?? '';
    this.details = body.details ?? {};
    this.retryAfterMs = retryAfterMs;
  }

  /** True if the same request may succeed later without any change. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const requestTimeoutMs = 15_000;

const unauthorizedListeners = new Set<() => void>();

/** Calls back whenever a request is answered with 401, which means that a session ended while the app was in use. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
}

const planListeners = new Set<(refusal: ApiError) => void>();

/** Calls back whenever a request is refused because it exceeds the plan (decision 27). */
export function onPlanLimit(listener: (refusal: ApiError) => void): () => void {
  planListeners.add(listener);
  return () => planListeners.delete(listener);
}

/** Notifies of a refusal over the plan's limit, however it arrived. */
export function notifyPlanLimit(refusal: ApiError): ApiError {
  if (refusal.status === 402) for (const listener of planListeners) listener(refusal);
  return refusal;
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = (await response.text().catch(() => '')) || response.statusText;
  let body: Partial<ErrorBody> = {};
  try {
    body = JSON.parse(text) as ErrorBody;
  } catch {
    // A proxy in between answers in its own format; the status is enough.
  }
  const retryAfter = Number(response.headers.get('Retry-After'));
  return new ApiError(response.status, body, text, retryAfter > 0 ? retryAfter * 1_000 : undefined);
}

export interface RequestOptions {
  /** True if the caller handles a 401 itself, so `onUnauthorized` is not notified. */
  silent?: boolean;
  /** Timeout for the answer including its body, in milliseconds; null for none. */
  timeoutMs?: number | null;
}

/**
 * Starts the trace of a request (W3C Trace Context), so that it can be followed from here to the database. Random for
 * each request, it identifies nobody; the server decides on sampling.
 */
function newTraceparent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `00-${digits.slice(0, 32)}-${digits.slice(32)}-00`;
}

/** Sends one request; throws ApiError. */
export async function request(
  path: string,
  init: RequestInit,
  { silent = false, timeoutMs = requestTimeoutMs }: RequestOptions = {},
): Promise<Response> {
  const timeout = timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs)];
  const signal = AbortSignal.any([...(init.signal ? [init.signal] : []), ...timeout]);
  const sentAt = performance.now();
  let response: Response;
  try {
    const headers = new Headers(init.headers);
    headers.set('traceparent', newTraceparent());
    response = await fetch(path, { credentials: 'include', ...init, headers, signal });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    serverClock.unanswered();
    throw new ApiError(0, {}, 'Network error. Please try again.', undefined, error);
  }
  serverClock.answered(response.headers, sentAt);
  if (response.ok) return response;
  if (response.status === 401 && !silent) for (const listener of unauthorizedListeners) listener();
  throw notifyPlanLimit(await errorOf(response));
}
