import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { AppError, internalError, isAppError, type ErrorDetails, type ErrorKind } from './errors.ts';
import { cacheError, storageError } from './storageErrors.ts';

/** The trailer that carries an AppError; names ending in -bin may hold any bytes. */
const trailer = 'nolo-error-bin';

/** Trailers share one limit of 8 KiB with the rest of the header in many proxies. */
const maxTrailerBytes = 4096;

const statusOfKind: Readonly<Record<ErrorKind, status>> = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
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

export function toStatus(error: AppError): { code: status; details: string; metadata: Metadata } {
  const { kind, code, message, details, retryAfterMs } = error;
  const metadata = new Metadata();
  let bytes = Buffer.from(JSON.stringify({ kind, code, message, details, retryAfterMs }));
  // An error that does not fit loses its details rather than the whole answer.
  if (bytes.length > maxTrailerBytes)
    bytes = Buffer.from(JSON.stringify({ kind, code, message: message.slice(0, 500) }));
  metadata.set(trailer, bytes);
  return { code: statusOfKind[kind], details: code, metadata };
}

/** The caller's side: the AppError that the service threw, or what a bare status amounts to. */
export function fromServiceError(error: ServiceError): AppError {
  const packed = error.metadata?.get(trailer)[0];
  if (packed !== undefined) {
    try {
      const raw = JSON.parse(packed.toString()) as Record<string, unknown>;
      // Our own secret is wrong, which says nothing about the person's session.
      if (raw.code === wrongSecret) return internalError(error);
      if (typeof raw.code === 'string' && typeof raw.message === 'string' && kinds.has(String(raw.kind))) {
        return new AppError(raw.kind as ErrorKind, raw.code, raw.message, {
          ...(typeof raw.details === 'object' && raw.details !== null ? { details: raw.details as ErrorDetails } : {}),
          ...(typeof raw.retryAfterMs === 'number' ? { retryAfterMs: raw.retryAfterMs } : {}),
          cause: error,
        });
      }
    } catch {
      // Not ours; the status is what is left.
    }
  }
  switch (error.code) {
    case status.UNAVAILABLE:
      return unavailable('service_unavailable', 'A part of the system cannot be reached right now.', error);
    case status.DEADLINE_EXCEEDED:
      return unavailable('service_timeout', 'A part of the system took too long to answer.', error);
    case status.CANCELLED:
      return unavailable('cancelled', 'The request was cancelled.', error);
    case status.RESOURCE_EXHAUSTED:
      return new AppError('too_large', 'message_too_large', 'The request is too large.', { cause: error });
    default: {
      const kind = kindOfStatus[error.code] ?? 'internal';
      if (kind === 'internal') return internalError(error);
      return new AppError(kind, kind, 'The request was refused.', { cause: error });
    }
  }
}

function unavailable(code: string, message: string, cause: unknown): AppError {
  return new AppError('unavailable', code, message, { retryAfterMs: 1000, cause });
}
