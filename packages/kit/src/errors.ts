/**
 * The single error type that services use between themselves.
 *
 * The kind tells a caller how to react, and determines the gRPC and HTTP status. The code identifies the problem, from
 * a closed union that each service keeps in its errors.ts. The message is a sentence that anyone may see, so it never
 * contains internals.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  /** The plan's limit is reached. The details contain the limit and what lifts it (decision 27). */
  | 'plan_limited'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

/** Facts for the caller: small JSON that anyone may see. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface AppErrorOptions {
  /** Cause for the log only. Never leaves the service. */
  reason?: string;
  details?: ErrorDetails;
  /** Milliseconds after which a retry makes sense. */
  retryAfterMs?: number;
  cause?: unknown;
}

export class AppError<Code extends string = string> extends Error {
  readonly kind: ErrorKind;
  readonly code: Code;
  readonly reason: string | undefined;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(kind: ErrorKind, code: Code, message: string, options: AppErrorOptions = {}) {
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
 * Creates (does not throw) an AppError. Written as `throw createAppError(...)`, so that the compiler and the reader
 * both see that the code ends there.
 */
export function createAppError<Code extends string>(
  kind: ErrorKind,
  code: Code,
  message: string,
  details?: ErrorDetails,
  options: Omit<AppErrorOptions, 'details'> = {},
): AppError<Code> {
  return new AppError(kind, code, message, details === undefined ? options : { ...options, details });
}

/**
 * `createAppError` narrowed to one service's codes: with `export const createChatError:
 * CreateServiceError<ChatErrorCode> = createAppError`, a misspelled code is a type error.
 */
export type CreateServiceError<Codes extends string> = (
  kind: ErrorKind,
  code: Codes,
  message: string,
  details?: ErrorDetails,
  options?: Omit<AppErrorOptions, 'details'>,
) => AppError<Codes>;

export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError;
}

/** Returns the error that replaces an unforeseen one, whose internals stay in the log. */
export function createInternalError(cause?: unknown): AppError<'internal_error'> {
  return new AppError('internal', 'internal_error', 'Something went wrong on our side.', { cause });
}
