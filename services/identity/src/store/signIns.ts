import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { limits, type RegistrationPolicy } from '@nolo/rules';
import type {
  MailSignInOutcome,
  NewSession,
  PhoneSignInOutcome,
  ProviderIdentity,
  VerifiedCode,
  SignInResult,
  SignInStore,
} from '../domain/ports.ts';
import type { AccountRecoveryWait } from '../domain/secondFactorPorts.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { admitRegistration } from './admissions.ts';
import { lockPhoneNumber } from './contacts.ts';
import {
  endAccountRecoveryWait,
  findRegistrationLockFactor,
  createSecondFactorTicket,
  disableSecondFactor,
  findAccountRecoveryWait,
} from './secondFactorState.ts';
import { isSessionProven } from './proofs.ts';
import { foldUserName } from './foldedNames.ts';
import { recordDeviceLanguage } from './reading.ts';
import { findPhoneNumberRelease, addSecurityNotice, type PhoneNumberRelease } from './securityNotices.ts';
import { endSessionsOf, insertSession, userAgentOf } from './sessions.ts';
import { undoSecurityChanges } from './undoSecurityChanges.ts';
import { consumeCode, consumeCodeAndRemember } from './verificationCodes.ts';
import {
  lockAccountByMail,
  lockAccountByPhone,
  lockAccountByProvider,
  attachPhone,
  attachProvider,
  countSignInMethods,
  lockAccount,
  findAccountPhone,
} from './signInMethods.ts';

interface NewAccount {
  firstName?: string;
  lastName?: string;
  email?: string | null;
}

async function insertAccount(trx: Knex, account: NewAccount, session: NewSession): Promise<UserId> {
  const now = session.createdAt;
  const id = newId<UserId>();
  await trx('users').insert({
    id,
    first_name: account.firstName ?? '',
    last_name: account.lastName ?? '',
    email: account.email ?? null,
    device_language: session.language ?? null,
    created_at: now,
    updated_at: now,
  });
  await foldUserName(trx, id);
  return id;
}

/** Serializes first sign-ins with the same identity, so later ones find the account created. */
async function lockProvider(trx: Knex, { issuer, subject }: ProviderIdentity): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 2))', [`${issuer}\n${subject}`]);
}

/** Fills in data that the account lacks. A provider never overwrites what the user entered. */
async function fillFromProvider(trx: Knex, userId: UserId, identity: ProviderIdentity, now: Date): Promise<void> {
  await trx('user_providers')
    .where({ issuer: identity.issuer, subject: identity.subject })
    .update({ email: identity.email });
  if (identity.verifiedEmail) {
    await trx('users')
      .where({ id: userId })
      .whereNull('email')
      .update({ email: identity.verifiedEmail, updated_at: now });
  }
  if (identity.firstName) {
    await trx('users')
      .where({ id: userId, first_name: '', last_name: '' })
      .update({ first_name: identity.firstName, last_name: identity.lastName, updated_at: now });
    await foldUserName(trx, userId);
  }
}

interface Arrival {
  userId: UserId;
  created: boolean;
  session: NewSession;
}

/** Performs the steps of every sign-in. The caller holds the account's lock. */
export async function startSignedInSession(trx: Knex, { userId, created, session }: Arrival): Promise<SignInResult> {
  const endedTokenHashes = await insertSession(trx, userId, session, limits.sessionsPerUser);
  if (!created) {
    await recordDeviceLanguage(trx, userId, session.language);
    const { email } = (await trx('users').where({ id: userId }).first('email')) as { email: string | null };
    const { id: sessionId, createdAt: now } = session;
    await addSecurityNotice(trx, { userId, sessionId, kind: 'signed_in', change: {}, email, now });
  }
  return { userId, created, endedTokenHashes };
}

/**
 * Restores the number's former account with the sign-in methods it had when the number left, and ends all other
 * sessions.
 */
export async function takeBackAccount(
  trx: Knex,
  released: PhoneNumberRelease,
  phoneNumber: string,
  session: NewSession,
): Promise<SignInResult> {
  const { userId } = released;
  const now = session.createdAt;
  const account = await lockAccount(trx, userId);
  await undoSecurityChanges(trx, { userId, since: released, now });
  const endedTokenHashes = await endSessionsOf(trx, userId, undefined);
  await insertSession(trx, userId, session, limits.sessionsPerUser);
  const change = { phoneNumber };
  const email = account?.email ?? null;
  await addSecurityNotice(trx, { userId, sessionId: session.id, kind: 'taken_back', change, email, now });
  return { userId, created: false, endedTokenHashes };
}

/** Issues a ticket instead of a session after a correct code, until the second factor follows. */
async function requestSecondFactor(
  trx: Knex,
  code: VerifiedCode,
  session: NewSession,
  factorRequest: {
    userId: UserId;
    ticketHash: Buffer;
    takesBack: boolean;
    wait: AccountRecoveryWait | undefined;
    byMail?: true;
  },
): Promise<MailSignInOutcome> {
  const now = session.createdAt;
  const taken = await consumeCode(trx, code, now);
  if (!taken) return { outcome: 'code_used' };
  const { userId, ticketHash: tokenHash, takesBack, wait } = factorRequest;
  const { numberHash, sentTo } = code;
  const { userAgent } = session;
  const by = factorRequest.byMail ? { phoneNumber: '', emailKey: sentTo } : { phoneNumber: sentTo };
  await createSecondFactorTicket(trx, { ...taken, ...by, tokenHash, userId, numberHash, takesBack, userAgent, now });
  const passkey: unknown = await trx('user_passkeys').where({ user_id: userId }).first('id');
  return { outcome: 'factor_needed', passkey: passkey !== undefined, mayWait: !takesBack, wait };
}

/** Signs in by number alone and turns off the lost second factor, because nobody objected during the whole wait. */
async function beginWithout(trx: Knex, userId: UserId, factorId: string, session: NewSession): Promise<SignInResult> {
  const now = session.createdAt;
  await disableSecondFactor(trx, factorId, now);
  await endAccountRecoveryWait(trx, userId, now);
  const signedIn = await startSignedInSession(trx, { userId, created: false, session });
  const { email } = (await trx('users').where({ id: userId }).first('email')) as { email: string | null };
  await addSecurityNotice(trx, {
    userId,
    sessionId: session.id,
    kind: 'account_given',
    change: { factorId },
    email,
    now,
  });
  return signedIn;
}

/** Signs in by email. Never creates an account. The second factor applies as for numbers. */
async function enterByMail(
  trx: Knex,
  code: VerifiedCode,
  session: NewSession,
  ticketHash: Buffer,
): Promise<MailSignInOutcome> {
  const now = session.createdAt;
  const userId = await lockAccountByMail(trx, code.sentTo);
  if (!userId) return { outcome: 'code_used' };
  const factor = await findRegistrationLockFactor(trx, userId);
  const wait = factor && (await findAccountRecoveryWait(trx, userId, now));
  if (factor && (!wait || wait.opensAt > now)) {
    return requestSecondFactor(trx, code, session, { userId, ticketHash, takesBack: false, wait, byMail: true });
  }
  if (!(await consumeCodeAndRemember(trx, code, now))) return { outcome: 'code_used' };
  if (factor) {
    return { outcome: 'signed_in', ...(await beginWithout(trx, userId, factor.id, session)), factorless: true };
  }
  return { outcome: 'signed_in', ...(await startSignedInSession(trx, { userId, created: false, session })) };
}

/** Returns why the requesting session may not link, or that the limit is reached. Locks the account. */
async function refuseLinking(
  trx: Knex,
  requester: RequestingSession,
  room: number,
  now: Date,
): Promise<'unproven' | 'limit' | false> {
  if (!(await lockAccount(trx, requester.userId)) || !(await isSessionProven(trx, requester, now))) return 'unproven';
  return (await countSignInMethods(trx, requester.userId)) >= limits.identitiesPerUser + room ? 'limit' : false;
}

/**
 * @param wake called after a commit that wrote to the outbox
 * @param registration returns who may create an account now
 */
export function createSignInStore(db: Knex, wake: () => void, registration: () => RegistrationPolicy): SignInStore {
  return {
    async byPhone(code, session, takeBack, { ticketHash, invitationHash }) {
      const now = session.createdAt;
      const signedIn = await inTransaction(db, async (trx): Promise<PhoneSignInOutcome> => {
        await lockPhoneNumber(trx, code.sentTo);
        const known = await lockAccountByPhone(trx, code.sentTo);
        const released = known ? undefined : await findPhoneNumberRelease(trx, code.sentTo, now);
        if (released && takeBack === undefined) return { outcome: 'replaced', replacedAt: released.createdAt };
        const done = (result: SignInResult) => ({ outcome: 'signed_in' as const, ...result });
        const entered = known ?? (takeBack ? released?.userId : undefined);
        const factor = entered && (await findRegistrationLockFactor(trx, entered, released?.createdAt));
        if (entered && factor) {
          const wait = known && (await findAccountRecoveryWait(trx, known, now));
          if (!wait || wait.opensAt > now) {
            const factorRequest = { userId: entered, ticketHash, takesBack: released !== undefined, wait };
            return requestSecondFactor(trx, code, session, factorRequest);
          }
        }
        if (!(await consumeCodeAndRemember(trx, code, now))) return { outcome: 'code_used' };
        if (known && factor) return { ...done(await beginWithout(trx, known, factor.id, session)), factorless: true };
        if (known) return done(await startSignedInSession(trx, { userId: known, created: false, session }));
        if (released && takeBack) return done(await takeBackAccount(trx, released, code.sentTo, session));
        const { sentTo: phoneNumber } = code;
        if (!(await admitRegistration(trx, registration(), { phoneNumber, invitationHash }, now)))
          return { outcome: 'not_admitted' };
        const userId = await insertAccount(trx, {}, session);
        await attachPhone(trx, userId, { phoneNumber, addedAt: now, addedBy: session.userAgent });
        return done(await startSignedInSession(trx, { userId, created: true, session }));
      });
      if (signedIn.outcome === 'signed_in') wake();
      return signedIn;
    },

    async byMail(code, session, ticketHash) {
      const signedIn = await inTransaction(db, (trx) => enterByMail(trx, code, session, ticketHash));
      if (signedIn.outcome === 'signed_in') wake();
      return signedIn;
    },

    async byProvider(identity, session) {
      const now = session.createdAt;
      const signedIn = await inTransaction(db, async (trx) => {
        await lockProvider(trx, identity);
        const known = await lockAccountByProvider(trx, identity);
        if (known) {
          await fillFromProvider(trx, known, identity, now);
          return startSignedInSession(trx, { userId: known, created: false, session });
        }
        // Never linked to an account with the same email address: anyone who controls a mailbox at one provider would
        // take over someone else's account (decision 6 links only at the request of a signed-in user).
        const { issuer, subject, firstName, lastName, email, verifiedEmail } = identity;
        if (!(await admitRegistration(trx, registration(), { verifiedEmail }, now))) return 'not_admitted' as const;
        const userId = await insertAccount(trx, { firstName, lastName, email: verifiedEmail }, session);
        await attachProvider(trx, userId, { issuer, subject, email, addedAt: now, addedBy: session.userAgent });
        return startSignedInSession(trx, { userId, created: true, session });
      });
      wake();
      return signedIn;
    },

    async linkPhone(code, requester, now) {
      const { userId, sessionId } = requester;
      const outcome = await inTransaction(db, async (trx) => {
        // Uses up the code even if the number is taken, because it has served its purpose.
        if (!(await consumeCodeAndRemember(trx, code, now))) return 'code_used' as const;
        await lockPhoneNumber(trx, code.sentTo);
        const owner = await lockAccountByPhone(trx, code.sentTo);
        if (owner && owner !== userId) return 'taken' as const;
        const email = (await lockAccount(trx, userId))?.email ?? null;
        const former = await findAccountPhone(trx, userId);
        const refused = await refuseLinking(trx, requester, former ? 1 : 0, now);
        if (refused) return refused;
        if (owner) return 'linked' as const;
        // An account has one number; a newly proven one replaces the previous one.
        await trx('user_phones').where({ user_id: userId }).delete();
        const { sentTo: phoneNumber } = code;
        await attachPhone(trx, userId, { phoneNumber, addedAt: now, addedBy: await userAgentOf(trx, sessionId) });
        await trx('users').where({ id: userId }).update({ updated_at: now });
        const replaced = former && {
          previousPhoneNumber: former.phoneNumber,
          addedAt: former.addedAt.toISOString(),
          addedBy: former.addedBy,
        };
        const kind = replaced ? 'phone_replaced' : 'phone_added';
        await addSecurityNotice(trx, { userId, sessionId, kind, change: { phoneNumber, ...replaced }, email, now });
        return 'linked' as const;
      });
      wake();
      return outcome;
    },

    async linkProvider(identity, requester, now) {
      const { userId, sessionId } = requester;
      const outcome = await inTransaction(db, async (trx) => {
        await lockProvider(trx, identity);
        const owner = await lockAccountByProvider(trx, identity);
        if (owner && owner !== userId) return 'taken';
        const refused = await refuseLinking(trx, requester, owner ? 1 : 0, now);
        if (refused) return refused;
        if (owner) return 'linked';
        const { issuer, subject, email } = identity;
        const before = (await trx('users').where({ id: userId }).first('email')) as { email: string | null };
        const addedBy = await userAgentOf(trx, sessionId);
        await attachProvider(trx, userId, { issuer, subject, email, addedAt: now, addedBy });
        await fillFromProvider(trx, userId, identity, now);
        const emailGiven = before.email === null && identity.verifiedEmail !== null;
        const change = { issuer, subject, email, emailGiven };
        await addSecurityNotice(trx, { userId, sessionId, kind: 'provider_added', change, email: before.email, now });
        return 'linked';
      });
      wake();
      return outcome;
    },
  };
}
