import { fail, type Fail } from '@nolo/kit/errors';

/** What the gateway itself refuses; codes of the services behind it pass through as they are. */
export type GatewayErrorCode =
  | 'invalid_input'
  | 'invalid_json'
  | 'invalid_path'
  | 'body_too_large'
  | 'body_invalid'
  | 'content_type_unsupported'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'session_required'
  | 'session_invalid'
  | 'origin_refused'
  | 'rate_limited'
  | 'phone_number_required'
  | 'verification_code_required'
  | 'conversation_not_found'
  | 'user_not_found'
  | 'upload_not_found'
  | 'object_not_found'
  | 'file_too_large'
  | 'upload_incomplete'
  | 'provider_unavailable'
  | 'draining'
  | 'frame_malformed'
  | 'event_unknown'
  | 'wrong_user'
  | 'too_many_joined'
  | 'guest_refused'
  | 'link_previews_off'
  | 'link_invalid'
  | 'link_refused'
  | 'link_unreachable'
  | 'link_too_large'
  | 'link_without_preview';

export const failGateway: Fail<GatewayErrorCode> = fail;
