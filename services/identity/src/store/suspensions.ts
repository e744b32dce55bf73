import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { Suspension } from '../domain/operatorPorts.ts';
import { createIdentityError } from '../errors.ts';

/** Suspensions in effect. */
export const selectLiveSuspensions = (db: Knex, now: Date) =>
  db('suspensions').where((open) => void open.whereNull('until').orWhere('until', '>', now));

/**
 * Keeps suspended users out, in the transaction that would start their session. The caller holds the account's lock, as
 * suspending does too.
 *
 * @throws AppError forbidden account_suspended
 */
export async function refuseSuspended(trx: Knex, userId: UserId, now: Date): Promise<void> {
  const suspension: Suspension | undefined = await selectLiveSuspensions(trx, now)
    .where({ user_id: userId })
    .first('reason', 'since', 'until');
  if (!suspension) return;
  const { reason, until } = suspension;
  const details = until ? { reason, until: until.toISOString() } : { reason };
  throw createIdentityError('forbidden', 'account_suspended', `This account is suspended: ${reason}`, details);
}
