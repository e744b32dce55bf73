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
export const statusNotFound = () => failStatus('not_found', 'status_not_found', 'This status update is not there.');

export const statusInvalid = (message: string) => failStatus('invalid', 'status_invalid', message);

export const audienceInvalid = (message: string) => failStatus('invalid', 'audience_invalid', message);

export const statusRemoved = () =>
  failStatus('conflict', 'status_removed', 'This status update was taken back already.');

export const tooManyStatuses = (most: number) =>
  failStatus('conflict', 'too_many_statuses', `${most} status updates are the most that are there at a time.`, {
    most,
  });

export const postsContended = () =>
  failStatus('unavailable', 'posts_contended', 'This could not be posted right now. Try again.', undefined, {
    retryAfterMs: 1_000,
  });

export const tooManyMutes = (most: number) =>
  failStatus('conflict', 'too_many_mutes', `${most} people are the most that one account mutes.`, { most });
