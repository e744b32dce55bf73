import { createAppError, type CreateServiceError } from '@nolo/kit/errors';

/** Error codes of this service. */
export type SocialErrorCode =
  | 'invalid_request'
  | 'not_yet'
  | 'platform_unknown'
  | 'platform_refused'
  | 'connection_not_found'
  | 'platform_required'
  | 'platform_not_connected'
  | 'too_many_connections'
  | 'too_many_posts'
  | 'social_limit_plan'
  | 'connection_failed'
  | 'password_required'
  | 'password_refused'
  | 'post_not_found'
  | 'post_begun'
  | 'post_empty'
  | 'post_too_long'
  | 'post_media_invalid'
  | 'post_media_missing'
  | 'post_media_too_many'
  | 'post_media_mixed'
  | 'post_media_type'
  | 'post_media_too_large'
  | 'post_media_pixels'
  | 'post_media_shape'
  | 'post_media_unreachable'
  | 'post_link_barred'
  | 'time_zone_unknown'
  | 'time_invalid'
  | 'time_past';

export const createSocialError: CreateServiceError<SocialErrorCode> = createAppError;

/** Builds the internal error that tells the queue when to retry. */
export const createPublishRetryError = (reason: string, retryAfterMs: number) =>
  createSocialError('unavailable', 'not_yet', 'This will be retried later.', undefined, {
    reason,
    retryAfterMs: Math.max(0, retryAfterMs),
  });
