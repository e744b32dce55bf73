import { createAppError, type CreateServiceError } from '@nolo/kit/errors';

/** Error codes of this service for other services and clients. */
export type StatusErrorCode =
  | 'audience_invalid'
  | 'posts_contended'
  | 'status_invalid'
  | 'status_not_found'
  | 'status_removed'
  | 'status_too_large'
  | 'too_many_mutes'
  | 'too_many_statuses';

export const createStatusError: CreateServiceError<StatusErrorCode> = createAppError;

/** Builds one error for all reasons (missing, expired, not visible), because existence is private. */
export const statusNotFound = () => createStatusError('not_found', 'status_not_found', 'Status update not found.');

export const statusInvalid = (message: string) => createStatusError('invalid', 'status_invalid', message);

export const audienceInvalid = (message: string) => createStatusError('invalid', 'audience_invalid', message);

export const statusRemoved = () =>
  createStatusError('conflict', 'status_removed', 'This status update has already been removed.');

export const tooManyStatuses = (max: number) =>
  createStatusError('conflict', 'too_many_statuses', `You can have at most ${max} status updates at a time.`, { max });

export const postsContended = () =>
  createStatusError('unavailable', 'posts_contended', 'The status update could not be posted. Try again.', undefined, {
    retryAfterMs: 1_000,
  });

export const tooManyMutes = (max: number) =>
  createStatusError('conflict', 'too_many_mutes', `You can mute at most ${max} people.`, { max });
