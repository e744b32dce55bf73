import type { ErrorBody } from '@nolo/api';
import type { ServerClock } from '../clock/serverClock.ts';

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

export interface RequesterOptions {
  /** Address of the installation without a trailing slash, `https://nolo.example`. Default: the page's own origin. */
  origin?: string;
  /** Returns headers of every request: an access token, or a cookie where no browser keeps cookies. */
  headers?: () => Readonly<Record<string, string>>;
  /** Clock that learns from the answers. */
  clock?: Pick<ServerClock, 'answered' | 'unanswered'>;
  fetch?: typeof fetch;
}

/** Sends one request to a path of the installation. Rejects with ApiError. */
export type SendRequest = (path: string, init: RequestInit, options?: RequestOptions) => Promise<Response>;

export interface Requester {
  readonly request: SendRequest;
  /**
   * Calls back whenever a request is answered with 401, which means that a session ended while the app was in use.
   *
   * @returns a function that unsubscribes
   */
  onUnauthorized(listener: () => void): () => void;
  /** Calls back whenever a request is refused because it exceeds the plan (decision 27). */
  onPlanLimit(listener: (refusal: ApiError) => void): () => void;
  /** Notifies of a refusal over the plan's limit, however it arrived. Returns it. */
  notifyPlanLimit(refusal: ApiError): ApiError;
}

/** Creates the connection to one installation's REST API, for one user. */
export function createRequester({
  origin = '',
  headers: ownHeaders = () => ({}),
  clock,
  fetch: send = (input, init) => fetch(input, init),
}: RequesterOptions): Requester {
  const unauthorizedListeners = new Set<() => void>();
  const planListeners = new Set<(refusal: ApiError) => void>();

  const notifyPlanLimit = (refusal: ApiError): ApiError => {
    if (refusal.status === 402) for (const listener of planListeners) listener(refusal);
    return refusal;
  };

  return {
    notifyPlanLimit,
    onUnauthorized(listener) {
      unauthorizedListeners.add(listener);
      return () => unauthorizedListeners.delete(listener);
    },
    onPlanLimit(listener) {
      planListeners.add(listener);
      return () => planListeners.delete(listener);
    },
    async request(path, init, { silent = false, timeoutMs = requestTimeoutMs } = {}) {
      const timeout = timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs)];
      const signal = AbortSignal.any([...(init.signal ? [init.signal] : []), ...timeout]);
      const sentAt = performance.now();
      let response: Response;
      try {
        const headers = new Headers(init.headers);
        for (const [name, value] of Object.entries(ownHeaders())) headers.set(name, value);
        headers.set('traceparent', newTraceparent());
        response = await send(origin + path, { credentials: 'include', ...init, headers, signal });
      } catch (error) {
        if (init.signal?.aborted) throw error;
        clock?.unanswered();
        throw new ApiError(0, {}, 'Network error. Please try again.', undefined, error);
      }
      clock?.answered(response.headers, sentAt);
      if (response.ok) return response;
      if (response.status === 401 && !silent) for (const listener of unauthorizedListeners) listener();
      throw notifyPlanLimit(await errorOf(response));
    },
  };
}
