import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { AppError, createInternalError, isAppError, type ErrorDetails, type ErrorKind } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import { toCacheError, toStorageError } from '../db/storageErrors.ts';

/** Trailer that carries an AppError; names ending in -bin may contain any bytes. */
const trailer = 'nolo-error-bin';

/** Trailers and headers share a limit of 8 KiB in many proxies. */
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

/** Kinds for statuses without this trailer, from gRPC itself or from a proxy. */
const kindOfStatus: Readonly<Partial<Record<status, ErrorKind>>> = {
  [status.INVALID_ARGUMENT]: 'invalid',
  [status.UNAUTHENTICATED]: 'internal',
  [status.PERMISSION_DENIED]: 'forbidden',
  [status.NOT_FOUND]: 'not_found',
  [status.ABORTED]: 'conflict',
  [status.ALREADY_EXISTS]: 'conflict',
  [status.OUT_OF_RANGE]: 'too_large',
};

/** Error code of a call without the shared secret. */
export const wrongSecretCode = 'rpc_secret';

const kinds = new Set<string>(Object.keys(statusOfKind));

/** Returns the error in the form in which it may leave this service. Recognizes unnamed outages. */
function toOutgoingError(error: unknown): AppError {
  if (isAppError(error)) return error;
  return toStorageError(error) ?? toCacheError(error) ?? createInternalError(error);
}

/** Logs the internal details of an error, and returns the form in which it may leave this service. */
export function logOutgoingError(error: unknown, log: Log): AppError {
  const known = toOutgoingError(error);
  if (known.kind === 'internal') log.error({ err: error }, 'call failed');
  else if (known.kind === 'unavailable') log.warn({ err: error }, 'call could not be served');
  else if (known.code === wrongSecretCode) log.warn('call without the shared secret refused');
  else log.debug({ kind: known.kind, errorCode: known.code }, 'call refused');
  return known;
}

/** Serializes an error, for the trailer of a failed call or as one of the results of a batch call. */
export function packError({ kind, code, message, details, retryAfterMs }: AppError): Buffer {
  const bytes = Buffer.from(JSON.stringify({ kind, code, message, details, retryAfterMs }));
  if (bytes.length <= maxTrailerBytes) return bytes;
  // An error that is too large loses its details rather than the whole answer.
  // Cuts: Nolo's own English sentence; JSON escapes half a character.
  return Buffer.from(JSON.stringify({ kind, code, message: message.slice(0, 500) }));
}

/** Parses a serialized error. Returns undefined if the bytes are not one. */
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

/** Returns the AppError that the service threw, or the equivalent of a bare status. */
export function fromServiceError(error: ServiceError): AppError {
  const packed = error.metadata?.get(trailer)[0];
  const known = packed === undefined ? undefined : unpackError(packed, error);
  // The service's own secret is wrong, which says nothing about the user's session.
  if (known) return known.code === wrongSecretCode ? createInternalError(error) : known;
  switch (error.code) {
    case status.UNAVAILABLE:
    // The previous release does not know the method yet, but another replica does, or the same one will soon.
    case status.UNIMPLEMENTED:
      return unavailable('service_unavailable', 'A part of the system cannot be reached right now.', error);
    case status.DEADLINE_EXCEEDED:
      return unavailable('service_timeout', 'A part of the system took too long to answer.', error);
    case status.CANCELLED:
      return unavailable('cancelled', 'The request was cancelled.', error);
    case status.RESOURCE_EXHAUSTED:
      return new AppError('too_large', 'message_too_large', 'The request is too large.', { cause: error });
    default: {
      // The connection was lost during the call, as when a busy service closes an old one before answering.
      if (error.code === status.INTERNAL && error.details.startsWith('Received RST_STREAM')) {
        return unavailable('service_unavailable', 'A part of the system cannot be reached right now.', error);
      }
      const kind = kindOfStatus[error.code] ?? 'internal';
      if (kind === 'internal') return createInternalError(error);
      return new AppError(kind, kind, 'The request was refused.', { cause: error });
    }
  }
}

function unavailable(code: string, message: string, cause: unknown): AppError {
  return new AppError('unavailable', code, message, { retryAfterMs: 1000, cause });
}
