/**
 * The one error type that services speak among themselves.
 *
 * The kind says what a caller can do about it (and decides the gRPC and HTTP status); the code says
 * what happened, from a closed union that each service keeps in its errors.ts; the message is a
 * sentence that may be shown to anyone, so it never carries what is inside.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  /** The plan does not reach; the details say how far it does and what lifts it (decision 27). */
  | 'plan_limited'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

/** Facts for the caller: JSON, small, and fit for anyone's eyes. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ErrorOptions {
  /** For the log only: why it came to this. Never leaves the service. */
  reason?: string;
  details?: ErrorDetails;
  /** After how many milliseconds trying again makes sense. */
  retryAfterMs?: number;
  cause?: unknown;
}

export class AppError<Code extends string = string> extends Error {
  readonly kind: ErrorKind;
  readonly code: Code;
  readonly reason: string | undefined;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(kind: ErrorKind, code: Code, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.code = code;
    this.reason = options.reason;
    this.details = options.details;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * Makes (it does not throw) an AppError. Written `throw fail(...)`, so that the compiler and the
 * reader both see that nothing after it runs.
 */
export function fail<Code extends string>(
  kind: ErrorKind,
  code: Code,
  message: string,
  details?: ErrorDetails,
  options: Omit<ErrorOptions, 'details'> = {},
): AppError<Code> {
  return new AppError(kind, code, message, details === undefined ? options : { ...options, details });
}

/**
 * `fail` narrowed to one service's codes: `export const failChat: Fail<ChatErrorCode> = fail;`
 * turns a misspelt code into a type error.
 */
export type Fail<Codes extends string> = (
  kind: ErrorKind,
  code: Codes,
  message: string,
  details?: ErrorDetails,
  options?: Omit<ErrorOptions, 'details'>,
) => AppError<Codes>;

export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError;
}

/** What stands in place of an error that nobody foresaw. Its inside stays in the log. */
export function internalError(cause?: unknown): AppError<'internal_error'> {
  return new AppError('internal', 'internal_error', 'Something went wrong on our side.', { cause });
}
