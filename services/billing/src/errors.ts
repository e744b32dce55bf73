import { createAppError, type CreateServiceError } from '@nolo/kit/errors';

/** Error codes of this service, as known to other services and clients. */
export type BillingErrorCode =
  | 'invalid_request'
  | 'not_yet'
  | 'cursor_invalid'
  | 'item_unknown'
  | 'item_unavailable'
  | 'currency_unsupported'
  | 'seats_invalid'
  | 'amount_mismatch'
  | 'order_conflict'
  | 'order_not_found'
  | 'nothing_to_pay'
  | 'too_many_orders'
  | 'payment_unavailable'
  | 'receipt_not_found'
  | 'subscription_not_found'
  | 'downgrade_invalid'
  | 'gateway_unknown'
  | 'notification_too_large'
  | 'mail_purpose_unknown'
  | 'mail_address_invalid'
  | 'mail_unavailable'
  | 'usage_exceeded'
  | 'reservation_not_found'
  | 'team_not_found'
  | 'not_team_owner'
  | 'seats_taken'
  | 'seat_not_found'
  | 'seat_elsewhere'
  | 'user_not_found'
  | 'refund_invalid'
  | 'grant_invalid'
  | 'notification_not_found';

export const createBillingError: CreateServiceError<BillingErrorCode> = createAppError;

export const orderNotFound = () => createBillingError('not_found', 'order_not_found', 'This order does not exist.');
export const paymentUnavailable = (cause?: unknown) =>
  createBillingError('unavailable', 'payment_unavailable', 'Failed to initiate payment. Please try again.', undefined, {
    cause,
  });

/** Signals the queue when to retry; internal. */
export const createBillingRetryError = (reason: string, retryAfterMs: number) =>
  createBillingError('unavailable', 'not_yet', 'This will be retried later.', undefined, { reason, retryAfterMs });
