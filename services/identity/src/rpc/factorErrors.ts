import { limits } from '@nolo/rules';
import type { PhoneSignIn } from '../domain/ports.ts';
import { failIdentity } from '../errors.ts';

/** Like number_replaced: the reply of who signs in stays what it is, and who cannot yet is told what it takes. */
export function secondFactorRequired(
  ticket: string,
  { passkey, mayWait, wait }: Extract<PhoneSignIn, { outcome: 'factor_needed' }>,
  now: Date,
) {
  return failIdentity('forbidden', 'second_factor_required', 'This account also needs its second factor.', {
    ticket,
    expiresAt: new Date(now.getTime() + limits.secondFactorTicketSeconds * 1_000).toISOString(),
    passkey,
    mayWait,
    opensAt: wait ? wait.opensAt.toISOString() : null,
  });
}
