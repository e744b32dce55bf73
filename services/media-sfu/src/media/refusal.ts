import { isAppError, type AppError } from '@nolo/kit/errors';
import { errors } from 'mediasoup';
import { mediaInvalid, mediaNotFound, mediaUnavailable } from '../errors.ts';

/**
 * Whether something failed because the part was closed on the way. The worker closes what hangs on a part that ends, and
 * says so after it has refused what was asked in between.
 */
export function isOver(part: { readonly closed: boolean }, error: unknown): boolean {
  return part.closed || error instanceof errors.NotFoundError;
}

/** What the worker writes when it refuses that, which is everyday life too. */
export const isRefusalOfClosed = (text: string): boolean => /Channel \w+ handler with ID \S+ not found/.test(text);

/**
 * What a failure of mediasoup's means for the caller. `fromClient` says that the parameters came from outside, so what
 * the worker refuses is their fault; a part that is closed was closed in the meantime and is nobody's.
 */
export function refusalOf(error: unknown, part: { readonly closed: boolean }, fromClient = false): unknown {
  if (isAppError(error)) return error satisfies AppError;
  if (error instanceof errors.WorkerClosedError) return mediaUnavailable(error);
  if (isOver(part, error)) return mediaNotFound();
  if (fromClient && error instanceof Error) return mediaInvalid(error.message);
  return error;
}
