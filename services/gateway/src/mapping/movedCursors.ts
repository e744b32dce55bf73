import { createInternalError } from '@nolo/kit/errors';
import { unpackError } from '@nolo/kit/rpc';
import type { MovedCursor } from '@nolo/proto/receipts';

/** Returns a user's moved cursors, or throws the error of the first that failed. */
export function requireMovedCursors(cursors: MovedCursor[]): MovedCursor[] {
  const failure = cursors.find(({ error }) => error?.length)?.error;
  if (failure)
    throw unpackError(failure) ?? createInternalError(new Error('A cursor was not moved, and no error was given.'));
  return cursors;
}
