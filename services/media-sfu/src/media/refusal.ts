import { isAppError, type AppError } from '@nolo/kit/errors';
import { errors } from 'mediasoup';
import { mediaInvalid, mediaNotFound, mediaUnavailable } from '../errors.ts';

/**
 * Returns true if a call failed because the object closed meanwhile. The worker closes dependents of an object that
 * ends, and reports it only after refusing calls made in between.
 */
export function isClosedError(closable: { readonly closed: boolean }, error: unknown): boolean {
  return closable.closed || error instanceof errors.NotFoundError;
}

/** Matches the worker's message for such a refusal, which is routine. */
export const isRefusalOfClosed = (text: string): boolean => /Channel \w+ handler with ID \S+ not found/.test(text);

/**
 * Maps a mediasoup failure to an error for the caller. `fromClient`: the parameters are external, so the worker's
 * refusal is the client's fault. A closed object closed meanwhile, which is nobody's fault.
 */
export function toMediaError(error: unknown, closable: { readonly closed: boolean }, fromClient = false): unknown {
  if (isAppError(error)) return error satisfies AppError;
  if (error instanceof errors.WorkerClosedError) return mediaUnavailable(error);
  if (isClosedError(closable, error)) return mediaNotFound();
  if (fromClient && error instanceof Error) return mediaInvalid(error.message);
  return error;
}
