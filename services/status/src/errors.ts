import { fail, type Fail } from '@nolo/kit/errors';

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

export const failStatus: Fail<StatusErrorCode> = fail;

/** Builds one error for all reasons (missing, expired, not visible), because existence is private. */
export const statusNotFound = () => failStatus('not_found', 'status_not_found', 'Status update not found.');

export const statusInvalid = (message: string) => failStatus('invalid', 'status_invalid', message);

export const audienceInvalid = (message: string) => failStatus('invalid', 'audience_invalid', message);

export const statusRemoved = () =>
  failStatus('conflict', 'status_removed', 'This status update has already been removed.');

export const tooManyStatuses = (most: number) =>
  failStatus('conflict', 'too_many_statuses', `You can have at most ${most} status updates at a time.`, {
    most,
  });

export const postsContended = () =>
  failStatus('unavailable', 'posts_contended', 'The status update could not be posted. Try again.', undefined, {
    retryAfterMs: 1_000,
  });

export const tooManyMutes = (most: number) =>
  failStatus('conflict', 'too_many_mutes', `You can mute at most ${most} people.`, { most });
