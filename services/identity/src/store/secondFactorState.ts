import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { KeyRing } from '@nolo/kit/keyRing';
import { limits } from '@nolo/rules';
import type { AccountRecoveryWait } from '../domain/secondFactorPorts.ts';
import { findTotpStep } from '../domain/oneTimePasswords.ts';
import type { SecurityNoticeChange, SecurityNoticeKind } from '../domain/securityPorts.ts';

/* Second factor of an account and pending requests to sign in without it, for use in transactions. */

export interface ActiveSecondFactor {
  id: string;
  sealedSecret: Buffer;
  confirmedAt: Date;
  registrationLock: boolean;
}

export function findActiveSecondFactor(trx: Knex, userId: UserId): Promise<ActiveSecondFactor | undefined> {
  return trx('second_factors')
    .where({ user_id: userId })
    .whereNotNull('confirmed_at')
    .whereNull('removed_at')
    .first(
      'id',
      'sealed_secret as sealedSecret',
      'confirmed_at as confirmedAt',
      'registration_lock as registrationLock',
    );
}

/**
 * Returns the factor that must follow a text message code. @param before considers only factors that existed by then
 */
export async function findRegistrationLockFactor(
  trx: Knex,
  userId: UserId,
  before?: Date,
): Promise<ActiveSecondFactor | undefined> {
  const factor = await findActiveSecondFactor(trx, userId);
  if (!factor?.registrationLock) return undefined;
  return before === undefined || factor.confirmedAt < before ? factor : undefined;
}

/** Uses up a one-time password. Each works once, and none older than the last one works (RFC 6238, section 5.2). */
export async function spendOneTimePassword(
  trx: Knex,
  ring: KeyRing,
  { id, sealedSecret }: ActiveSecondFactor,
  code: string,
  now: Date,
): Promise<boolean> {
  const step = findTotpStep(await ring.open(sealedSecret, id), code, now);
  if (step === undefined) return false;
  return (await trx('second_factors').where({ id }).where('last_step', '<', step).update({ last_step: step })) === 1;
}

/** Returns false if it was already off. */
export async function disableSecondFactor(trx: Knex, factorId: string, now: Date): Promise<boolean> {
  return (
    (await trx('second_factors').where({ id: factorId }).whereNull('removed_at').update({ removed_at: now })) === 1
  );
}

export function findAccountRecoveryWait(
  trx: Knex,
  userId: UserId,
  now: Date,
): Promise<AccountRecoveryWait | undefined> {
  return trx('account_waits')
    .where({ user_id: userId })
    .where('ends_at', '>', now)
    .first('asked_at as askedAt', 'opens_at as opensAt', 'ends_at as endsAt', 'user_agent as userAgent');
}

/** Ends the wait and resolves its notice. Returns false if there was no wait. */
export async function endAccountRecoveryWait(trx: Knex, userId: UserId, now: Date): Promise<boolean> {
  const ended = await trx('account_waits').where({ user_id: userId }).delete();
  await trx('security_notices')
    .where({ user_id: userId, kind: 'account_asked' })
    .whereNull('undone_at')
    .update({ undone_at: now });
  return ended === 1;
}

/**
 * Undoes one change of the second factor. The caller proceeds from the latest to the first, so a factor that was added
 * and removed ends up off.
 */
export async function undoSecondFactorChange(
  trx: Knex,
  userId: UserId,
  kind: SecurityNoticeKind,
  { factorId: id, batchId }: SecurityNoticeChange,
  now: Date,
): Promise<void> {
  if (id === undefined) return;
  const own = () => trx('second_factors').where({ id, user_id: userId });
  if (kind === 'factor_added') await disableSecondFactor(trx, id, now);
  else if (kind === 'lock_off') await own().update({ registration_lock: true });
  // The renewed codes belong to someone else.
  else if (kind === 'recovery_renewed' && batchId !== undefined) {
    await trx('recovery_codes').where({ factor_id: id, batch_id: batchId }).delete();
  } else if (kind === 'factor_removed' || kind === 'account_given') {
    if (!(await findActiveSecondFactor(trx, userId))) await own().update({ removed_at: null });
  }
}

export interface NewSecondFactorTicket {
  tokenHash: Buffer;
  userId: UserId;
  /** Empty if an email code opened the ticket. */
  phoneNumber: string;
  emailKey?: string;
  numberHash: Buffer;
  askerHash: Buffer;
  takesBack: boolean;
  userAgent: string;
  now: Date;
}

/** Opens a ticket. The caller has used up the code. */
export async function createSecondFactorTicket(trx: Knex, ticket: NewSecondFactorTicket): Promise<void> {
  const { numberHash, askerHash, now } = ticket;
  const known: unknown = await trx('known_askers').where({ number_hash: numberHash, asker_hash: askerHash }).first();
  await trx('factor_tickets').insert({
    token_hash: ticket.tokenHash,
    user_id: ticket.userId,
    phone_number: ticket.phoneNumber,
    email_key: ticket.emailKey ?? null,
    number_hash: numberHash,
    asker_hash: askerHash,
    known: known !== undefined,
    takes_back: ticket.takesBack,
    user_agent: ticket.userAgent,
    expires_at: new Date(now.getTime() + limits.secondFactorTicketSeconds * 1_000),
  });
}
