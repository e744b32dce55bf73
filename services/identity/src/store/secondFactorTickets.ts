import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type SessionId, type UserId } from '@nolo/kit/ids';
import type { KeyRing } from '@nolo/kit/keyRing';
import { limits } from '@nolo/rules';
import type {
  AccountRecoveryWait,
  SecondFactorTicket,
  SecondFactorTicketStore,
  SecondFactorOutcome,
} from '../domain/secondFactorPorts.ts';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import { normalizeCode, isOneTimePassword, hashRecoveryCode } from '../domain/recoveryCodes.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';
import {
  endAccountRecoveryWait,
  findRegistrationLockFactor,
  spendOneTimePassword,
  findAccountRecoveryWait,
  type ActiveSecondFactor,
} from './secondFactorState.ts';
import { findPhoneNumberRelease, addSecurityNotice, type PhoneNumberRelease } from './securityNotices.ts';
import { startSignedInSession, takeBackAccount } from './signIns.ts';
import { rememberCodeRequester } from './verificationCodes.ts';
import { lockAccount, findAccountMail, findAccountPhone } from './signInMethods.ts';

interface StoredTicket {
  userId: UserId;
  phoneNumber: string;
  emailKey: string | null;
  numberHash: Buffer;
  askerHash: Buffer;
  takesBack: boolean;
}

const columns = [
  'user_id as userId',
  'phone_number as phoneNumber',
  'email_key as emailKey',
  'number_hash as numberHash',
  'asker_hash as askerHash',
  'takes_back as takesBack',
] as const;

const live = (trx: Knex, tokenHash: Buffer, now: Date) =>
  trx('factor_tickets').where({ token_hash: tokenHash }).whereNull('used_at').where('expires_at', '>', now);

/** Locks the account of a ticket, unless its number or email address has moved since. */
async function hold(
  trx: Knex,
  tokenHash: Buffer,
  now: Date,
): Promise<{ ticket: StoredTicket; released: PhoneNumberRelease | undefined; email: string | null } | undefined> {
  const found: StoredTicket | undefined = await live(trx, tokenHash, now).first(...columns);
  const account = found && (await lockAccount(trx, found.userId));
  // Queried again under the lock: a concurrent request may have used the ticket.
  const ticket: StoredTicket | undefined = await live(trx, tokenHash, now).first(...columns);
  if (!account || !ticket) return undefined;
  const { userId, phoneNumber, takesBack } = ticket;
  if (takesBack) {
    const released = await findPhoneNumberRelease(trx, phoneNumber, now);
    return released?.userId === userId ? { ticket, released, email: account.email } : undefined;
  }
  const { emailKey } = ticket;
  const mail = emailKey === null ? undefined : await findAccountMail(trx, userId);
  const isOwn =
    emailKey === null
      ? listStoredForms(phoneNumber).includes((await findAccountPhone(trx, userId))?.phoneNumber ?? '')
      : mail !== undefined && normalizeMailAddress(mail.email) === emailKey;
  return isOwn ? { ticket, released: undefined, email: account.email } : undefined;
}

export function createSecondFactorTicketStore(db: Knex, ring: KeyRing, wake: () => void): SecondFactorTicketStore {
  /** Uses up a one-time password or a recovery code. Each works once. */
  const use = async (trx: Knex, factor: ActiveSecondFactor, code: string, now: Date): Promise<boolean> => {
    if (isOneTimePassword(code)) return spendOneTimePassword(trx, ring, factor, code, now);
    const { id } = factor;
    const used = await trx('recovery_codes')
      .where({ factor_id: id, code_hash: hashRecoveryCode(id, code) })
      .whereNull('used_at')
      .update({ used_at: now });
    return used === 1;
  };

  return {
    async countTry(tokenHash, now) {
      const [row]: (Omit<SecondFactorTicket, 'byMail'> & { emailKey: string | null })[] = await live(db, tokenHash, now)
        .where('tries', '<', limits.secondFactorTriesPerTicket)
        .update({ tries: db.raw('tries + 1') }, [
          'user_id as userId',
          'asker_hash as askerHash',
          'known',
          'tries as triesUsed',
          'email_key as emailKey',
        ]);
      if (row) {
        const { emailKey, ...ticket } = row;
        return { outcome: 'counted', ...ticket, byMail: emailKey !== null };
      }
      return { outcome: (await live(db, tokenHash, now).first('user_id')) ? 'spent' : 'none' };
    },

    async pass(tokenHash, text, session) {
      const now = session.createdAt;
      const passed = await inTransaction(db, async (trx): Promise<SecondFactorOutcome> => {
        const lockedTicket = await hold(trx, tokenHash, now);
        if (!lockedTicket) return { outcome: 'none' };
        const { ticket, released } = lockedTicket;
        const { userId, phoneNumber } = ticket;
        const factor = await findRegistrationLockFactor(trx, userId, released?.createdAt);
        if (!factor) return { outcome: 'none' };
        if (!(await use(trx, factor, normalizeCode(text), now))) return { outcome: 'wrong' };
        await trx('factor_tickets').where({ token_hash: tokenHash }).update({ used_at: now });
        await rememberCodeRequester(trx, ticket.numberHash, ticket.askerHash, now);
        // The owner has the second factor, so nobody may get in without it.
        await endAccountRecoveryWait(trx, userId, now);
        const signedIn = released
          ? await takeBackAccount(trx, released, phoneNumber, session)
          : await startSignedInSession(trx, { userId, created: false, session });
        return { outcome: 'signed_in', ...signedIn };
      });
      if (passed.outcome === 'signed_in') wake();
      return passed;
    },

    async waitOf(tokenHash, now) {
      const ticket: StoredTicket | undefined = await live(db, tokenHash, now)
        .where({ takes_back: false })
        .first(...columns);
      return ticket && { userId: ticket.userId, wait: await findAccountRecoveryWait(db, ticket.userId, now) };
    },

    async startAccountWait(tokenHash, wait) {
      const now = wait.askedAt;
      const startedWait = await inTransaction(db, async (trx): Promise<AccountRecoveryWait | undefined> => {
        const lockedTicket = await hold(trx, tokenHash, now);
        if (!lockedTicket || lockedTicket.released) return undefined;
        const { email, ticket } = lockedTicket;
        const { userId } = ticket;
        if (!(await findRegistrationLockFactor(trx, userId))) return undefined;
        const known = await findAccountRecoveryWait(trx, userId, now);
        if (known) return known;
        const { askedAt: asked_at, opensAt: opens_at, endsAt: ends_at, userAgent: user_agent } = wait;
        await trx('account_waits')
          .insert({ user_id: userId, asked_at, opens_at, ends_at, user_agent })
          .onConflict('user_id')
          .merge();
        // A session does not exist yet, so the change is attributed to no device.
        const sessionId = newId<SessionId>();
        const change = { opensAt: opens_at.toISOString() };
        await addSecurityNotice(trx, {
          userId,
          sessionId,
          userAgent: user_agent,
          kind: 'account_asked',
          change,
          email,
          now,
        });
        return wait;
      });
      wake();
      return startedWait;
    },

    async refuse({ userId, sessionId }, now) {
      const refused = await inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, userId);
        if (!account || !(await endAccountRecoveryWait(trx, userId, now))) return false;
        const { email } = account;
        await addSecurityNotice(trx, { userId, sessionId, kind: 'account_refused', change: {}, email, now });
        return true;
      });
      if (refused) wake();
      return refused;
    },
  };
}
