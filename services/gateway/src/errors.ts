import { createAppError, type AppError, type CreateServiceError } from '@nolo/kit/errors';

/** Errors of the gateway itself; codes of other services pass through unchanged. */
export type GatewayErrorCode =
  | 'cursor_invalid'
  | 'invalid_input'
  | 'invalid_json'
  | 'json_too_complex'
  | 'invalid_path'
  | 'address_too_long'
  | 'header_too_long'
  | 'body_too_large'
  | 'body_invalid'
  | 'content_type_unsupported'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'session_required'
  | 'session_invalid'
  | 'account_closed'
  | 'token_invalid'
  | 'token_not_allowed'
  | 'insufficient_scope'
  | 'origin_refused'
  | 'rate_limited'
  | 'new_account_limit'
  | 'phone_number_required'
  | 'verification_code_required'
  | 'conversation_not_found'
  | 'message_blank'
  | 'message_invalid'
  | 'message_too_large'
  | 'status_blank'
  | 'status_invalid'
  | 'status_too_large'
  | 'user_not_found'
  | 'work_not_found'
  | 'upload_not_found'
  | 'object_not_found'
  | 'file_too_large'
  | 'sign_incomplete'
  | 'key_missing'
  | 'length_required'
  | 'storage_full_plan'
  | 'audio_too_large'
  | 'imports_off'
  | 'protocol_unsupported'
  | 'upload_incomplete'
  | 'transcription_unavailable'
  | 'social_unavailable'
  | 'billing_unavailable'
  | 'webhooks_unavailable'
  | 'passkeys_unavailable'
  | 'push_unavailable'
  | 'item_unknown'
  | 'currency_unsupported'
  | 'amount_mismatch'
  | 'notification_empty'
  | 'post_media_invalid'
  | 'form_invalid'
  | 'file_missing'
  | 'provider_unavailable'
  | 'draining'
  | 'frame_malformed'
  | 'frame_too_large'
  | 'event_unknown'
  | 'wrong_user'
  | 'too_many_joined'
  | 'guest_refused'
  | 'link_previews_off'
  | 'link_invalid'
  | 'link_refused'
  | 'link_barred'
  | 'link_unreachable'
  | 'link_too_large'
  | 'link_without_preview';

export const createGatewayError: CreateServiceError<GatewayErrorCode> = createAppError;

/** Part of a request that holds a value. */
export type InputLocation = 'params' | 'query' | 'body';

export interface InputIssue {
  readonly place: InputLocation;
  /** Dotted path inside the place. Empty for the whole place. */
  readonly field: string;
  readonly message: string;
}

/** Builds one error for all issues: a sentence about the first, and all of them in `details`. */
export function createInvalidInputError(issues: readonly InputIssue[]): AppError {
  const fields: Record<string, string> = {};
  for (const { place, field, message } of issues) fields[field === '' ? place : field] ??= message;
  const [first] = Object.entries(fields);
  const sentence = first ? `${first[0]}: ${first[1]}` : 'The request is invalid';
  return createGatewayError('invalid', 'invalid_input', sentence, { fields });
}
