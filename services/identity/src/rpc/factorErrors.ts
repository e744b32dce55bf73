import { limits } from '@nolo/rules';
import type { PhoneSignInOutcome } from '../domain/ports.ts';
import { createIdentityError } from '../errors.ts';

/**
 * Builds an error, like number_replaced. The reply to a sign-in keeps its shape, and a client that cannot sign in yet
 * learns what is required.
 */
export function secondFactorRequired(
  ticket: string,
  { passkey, mayWait, wait }: Extract<PhoneSignInOutcome, { outcome: 'factor_needed' }>,
  now: Date,
) {
  return createIdentityError('forbidden', 'second_factor_required', 'This account also needs its second factor.', {
    ticket,
    expiresAt: new Date(now.getTime() + limits.secondFactorTicketSeconds * 1_000).toISOString(),
    passkey,
    mayWait,
    opensAt: wait ? wait.opensAt.toISOString() : null,
  });
}
