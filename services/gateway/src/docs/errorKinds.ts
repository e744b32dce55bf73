import type { ErrorKind } from '@nolo/kit/errors';

const codes: Readonly<Partial<Record<ErrorKind, readonly string[]>>> = {
  unauthenticated: ['session_required', 'sign_in_required', 'token_invalid'],
  plan_limited: ['plan_limit', 'plan_limited', 'social_limit_plan', 'storage_full_plan', 'transcription_limit'],
  forbidden: [
    'action_refused',
    'address_expired',
    'banned',
    'blocked',
    'delete_expired',
    'edit_expired',
    'files_refused',
    'guests_paused',
    'guests_refused',
    'links_refused',
    'meeting_locked',
    'message_rejected',
    'not_admin',
    'not_author',
    'not_host',
    'not_operator',
    'not_owner',
    'not_team_owner',
    'insufficient_scope',
    'proof_mismatch',
    'proof_required',
    'removed',
    'token_not_allowed',
    'transcription_off',
    'upload_expired',
    'user_unavailable',
  ],
  not_found: [
    'billing_unavailable',
    'imports_off',
    'link_previews_off',
    'participant_unknown',
    'platform_unknown',
    'social_unavailable',
    'webhooks_unavailable',
    'transcription_unavailable',
  ],
  conflict: [
    'amount_mismatch',
    'call_answered_elsewhere',
    'call_busy',
    'call_over',
    'client_message_id_reused',
    'contact_limit',
    'delivery_under_way',
    'group_full',
    'identity_limit',
    'last_way_in',
    'meeting_over',
    'nothing_to_pay',
    'notice_settled',
    'webhook_not_active',
    'number_replaced',
    'order_conflict',
    'phone_taken',
    'platform_not_connected',
    'post_begun',
    'refund_invalid',
    'room_full',
    'seat_elsewhere',
    'seats_taken',
    'status_removed',
    'token_limit',
    'too_many_connections',
    'too_many_groups',
    'too_many_held',
    'too_many_meetings',
    'too_many_mutes',
    'too_many_pinned',
    'too_many_posts',
    'too_many_reactions',
    'too_many_requests',
    'too_many_stars',
    'too_many_statuses',
    'too_many_webhooks',
  ],
  too_large: ['audio_too_long'],
  rate_limited: ['too_many_orders'],
  unavailable: ['mail_unavailable', 'payment_unavailable', 'platform_refused'],
};

const kinds = new Map(
  Object.entries(codes).flatMap(([kind, of]) => of.map((code) => [code, kind as ErrorKind] as const)),
);

/** The kind of an error that a route names by its code. The fuzzer finds answers that this table does not foresee. */
export function kindOfCode(code: string): ErrorKind {
  const known = kinds.get(code);
  if (known) return known;
  if (code.endsWith('_not_found')) return 'not_found';
  if (code.endsWith('_too_large')) return 'too_large';
  return 'invalid';
}
