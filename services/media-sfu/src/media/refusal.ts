import { isAppError, type AppError } from '@nolo/kit/errors';
import { errors } from 'mediasoup';
import { mediaInvalid, mediaNotFound, mediaUnavailable } from '../errors.ts';

/**
 * What a failure of mediasoup's means for the caller. `fromClient` says that the parameters came from outside, so what
 * the worker refuses is their fault; a part that is closed was closed in the meantime and is nobody's.
 */
export function refusalOf(error: unknown, part: { readonly closed: boolean }, fromClient = false): unknown {
  if (isAppError(error)) return error satisfies AppError;
  if (error instanceof errors.WorkerClosedError) return mediaUnavailable(error);
  if (error instanceof errors.NotFoundError || part.closed) return mediaNotFound();
  if (fromClient && error instanceof Error) return mediaInvalid(error.message);
  return error;
}
