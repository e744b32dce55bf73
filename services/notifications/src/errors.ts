import { createAppError, type CreateServiceError } from '@nolo/kit/errors';
import { createLimitDetails } from '@nolo/rules';

/** Error codes of this service for other services and clients. */
export type NotificationsErrorCode =
  | 'not_yet'
  | 'cursor_invalid'
  | 'webhook_not_found'
  | 'webhook_url_invalid'
  | 'webhook_url_refused'
  | 'webhook_events_invalid'
  | 'webhook_state_invalid'
  | 'webhook_not_active'
  | 'plan_limit'
  | 'plan_unknown'
  | 'too_many_webhooks'
  | 'delivery_not_found'
  | 'delivery_under_way'
  | 'push_endpoint_invalid'
  | 'push_endpoint_refused'
  | 'push_keys_invalid'
  | 'push_session_missing'
  | 'quiet_hours_invalid';

export const createNotificationsError: CreateServiceError<NotificationsErrorCode> = createAppError;

export const webhookNotFound = () =>
  createNotificationsError('not_found', 'webhook_not_found', 'This webhook does not exist.');
export const webhookDeliveryNotFound = () =>
  createNotificationsError('not_found', 'delivery_not_found', 'This delivery does not exist.');
export const webhookNotActive = () =>
  createNotificationsError('conflict', 'webhook_not_active', 'This webhook is not active.');
export const webhooksNotInPlan = () =>
  createNotificationsError(
    'plan_limited',
    'plan_limit',
    'Your plan does not include webhooks.',
    createLimitDetails('apiAccess', 0),
  );

/** Builds the internal error that tells the queue when to retry. */
export const createDeliveryRetryError = (reason: string, retryAfterMs: number) =>
  createNotificationsError('unavailable', 'not_yet', 'This will be retried later.', undefined, {
    reason,
    retryAfterMs,
  });
