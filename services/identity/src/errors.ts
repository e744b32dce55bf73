import { fail, type Fail } from '@nolo/kit/errors';

/** Everything that this service may refuse, besides what kit says about outages and limits. */
export type IdentityErrorCode =
  | 'phone_number_required'
  | 'phone_number_invalid'
  | 'challenge_required'
  | 'code_send_limited'
  | 'sms_unavailable'
  | 'code_wrong'
  | 'code_expired'
  | 'code_exhausted'
  | 'phone_taken'
  | 'provider_taken'
  | 'provider_invalid'
  | 'identity_limit'
  | 'identity_not_found'
  | 'last_way_in'
  | 'number_replaced'
  | 'proof_required'
  | 'proof_mismatch'
  | 'notice_not_found'
  | 'notice_settled'
  | 'session_invalid'
  | 'session_not_found'
  | 'user_not_found'
  | 'profile_invalid'
  | 'search_limited'
  | 'contact_is_self'
  | 'contact_limit'
  | 'contact_not_found'
  | 'display_name_invalid'
  | 'block_is_self'
  | 'too_many_ids';

export const failIdentity: Fail<IdentityErrorCode> = fail;
