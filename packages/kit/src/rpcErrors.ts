import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { AppError, internalError, isAppError, type ErrorDetails, type ErrorKind } from './errors.ts';
import type { Log } from './log.ts';
import { cacheError, storageError } from './storageErrors.ts';

/** The trailer that carries an AppError; names ending in -bin may hold any bytes. */
const trailer = 'nolo-error-bin';

/** Trailers share one limit of 8 KiB with the rest of the header in many proxies. */
const maxTrailerBytes = 4096;

const statusOfKind: Readonly<Record<ErrorKind, status>> = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  plan_limited: status.FAILED_PRECONDITION,
  not_found: status.NOT_FOUND,
  conflict: status.ABORTED,
  too_large: status.OUT_OF_RANGE,
  rate_limited: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  internal: status.INTERNAL,
};

/** What a status means that came without our trailer, from gRPC itself or from a proxy. */
const kindOfStatus: Readonly<Partial<Record<status, ErrorKind>>> = {
  [status.INVALID_ARGUMENT]: 'invalid',
  [status.UNAUTHENTICATED]: 'internal',
  [status.PERMISSION_DENIED]: 'forbidden',
  [status.NOT_FOUND]: 'not_found',
  [status.ABORTED]: 'conflict',
  [status.ALREADY_EXISTS]: 'conflict',
  [status.OUT_OF_RANGE]: 'too_large',
};

/** The code of a call without the shared secret. */
export const wrongSecret = 'rpc_secret';

const kinds = new Set<string>(Object.keys(statusOfKind));

/** The error as it may leave this service. Outages that nobody named are recognised here. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  return storageError(error) ?? cacheError(error) ?? internalError(error);
}

/** The error as it may leave this service, after the log has what is ours to know of it. */
export function reportError(error: unknown, log: Log): AppError {
  const known = toAppError(error);
  if (known.kind === 'internal') log.error({ err: error }, 'a call failed');
  else if (known.kind === 'unavailable') log.warn({ err: error }, 'a call could not be served');
  else if (known.code === wrongSecret) log.warn('a call without the shared secret was refused');
  else log.debug({ kind: known.kind, errorCode: known.code }, 'a call was refused');
  return known;
}

/** An error as it travels, in the trailer of a call that fails or as one of the results of a call for many. */
export function packError({ kind, code, message, details, retryAfterMs }: AppError): Buffer {
  const bytes = Buffer.from(JSON.stringify({ kind, code, message, details, retryAfterMs }));
  if (bytes.length <= maxTrailerBytes) return bytes;
  // An error that does not fit loses its details rather than the whole answer.
  // Cuts: our own sentence in English; JSON escapes half a character.
  return Buffer.from(JSON.stringify({ kind, code, message: message.slice(0, 500) }));
}

/** Undefined where the bytes are no error of ours. */
export function unpackError(bytes: Buffer | string, cause?: unknown): AppError | undefined {
  let raw: Record<string, unknown> | null;
  try {
    raw = JSON.parse(bytes.toString()) as Record<string, unknown> | null;
  } catch {
    return undefined;
  }
  if (typeof raw?.code !== 'string' || typeof raw.message !== 'string' || !kinds.has(String(raw.kind)))
    return undefined;
  return new AppError(raw.kind as ErrorKind, raw.code, raw.message, {
    ...(typeof raw.details === 'object' && raw.details !== null ? { details: raw.details as ErrorDetails } : {}),
    ...(typeof raw.retryAfterMs === 'number' ? { retryAfterMs: raw.retryAfterMs } : {}),
    cause,
  });
}

export function toStatus(error: AppError): { code: status; details: string; metadata: Metadata } {
  const metadata = new Metadata();
  metadata.set(trailer, packError(error));
  return { code: statusOfKind[error.kind], details: error.code, metadata };
}

/** The caller's side: the AppError that the service threw, or what a bare status amounts to. */
export function fromServiceError(error: ServiceError): AppError {
  const packed = error.metadata?.get(trailer)[0];
  const known = packed === undefined ? undefined : unpackError(packed, error);
  // Our own secret is wrong, which says nothing about the person's session.
  if (known) return known.code === wrongSecret ? internalError(error) : known;
  switch (error.code) {
    case status.UNAVAILABLE:
    // The previous release does not know it yet, and another replica, or the same one in a moment, does.
    case status.UNIMPLEMENTED:
      return unavailable('service_unavailable', 'A part of the system cannot be reached right now.', error);
    case status.DEADLINE_EXCEEDED:
      return unavailable('service_timeout', 'A part of the system took too long to answer.', error);
    case status.CANCELLED:
      return unavailable('cancelled', 'The request was cancelled.', error);
    case status.RESOURCE_EXHAUSTED:
      return new AppError('too_large', 'message_too_large', 'The request is too large.', { cause: error });
    default: {
      // The connection went with the call on it, as where a busy service closes an old one before it has answered.
      if (error.code === status.INTERNAL && error.details.startsWith('Received RST_STREAM')) {
        return unavailable('service_unavailable', 'A part of the system cannot be reached right now.', error);
      }
      const kind = kindOfStatus[error.code] ?? 'internal';
      if (kind === 'internal') return internalError(error);
      return new AppError(kind, kind, 'The request was refused.', { cause: error });
    }
  }
}

function unavailable(code: string, message: string, cause: unknown): AppError {
  return new AppError('unavailable', code, message, { retryAfterMs: 1000, cause });
}
