import { inTransaction, type Knex } from '@nolo/kit/db';
import type { SessionId, UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import type { ProofMethod } from '../domain/ports.ts';
import type { RequestingSession, SessionProofStore } from '../domain/securityPorts.ts';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import { computeUndoWindowStart } from '../domain/undoWindow.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';
import { findActiveSecondFactor } from './secondFactorState.ts';
import { consumeCodeAndRemember } from './verificationCodes.ts';
import { lockAccountByProvider, findAccountMail } from './signInMethods.ts';

const proofMs = limits.proofSeconds * 1000;

/**
 * Returns whether the requesting session was proven recently. Runs in the transaction that acts on it, after the
 * account was locked, so a session that just ended can do nothing.
 */
export async function isSessionProven(
  trx: Knex,
  { userId, sessionId }: RequestingSession,
  now: Date,
): Promise<boolean> {
  const row = await trx('sessions')
    .where({ id: sessionId, user_id: userId })
    .where('proven_at', '>', new Date(now.getTime() - proofMs))
    .first('id');
  return row !== undefined;
}

export async function markSessionProven(trx: Knex, sessionId: SessionId, by: ProofMethod, now: Date): Promise<boolean> {
  return (await trx('sessions').where({ id: sessionId }).update({ proven_at: now, proven_by: by })) === 1;
}

function ownerOf(db: Knex, sessionId: SessionId, now: Date): Promise<{ userId: UserId } | undefined> {
  return db('sessions').where({ id: sessionId }).where('expires_at', '>', now).first('user_id as userId');
}

export async function ownsSession(trx: Knex, { userId, sessionId }: RequestingSession, now: Date): Promise<boolean> {
  return (await ownerOf(trx, sessionId, now))?.userId === userId;
}

export function createSessionProofStore(db: Knex): SessionProofStore {
  const phoneNumbers = async (userId: UserId, now: Date): Promise<string[]> => {
    const { rows } = await db.raw<{ rows: { phoneNumber: string }[] }>(
      `select phone_number as "phoneNumber" from user_phones where user_id = :userId
       union
       select released_number from security_notices n
       where user_id = :userId and released_number is not null and undone_at is null and created_at > :since
         and not exists (select from user_phones p where p.phone_number = n.released_number)`,
      { userId, since: computeUndoWindowStart(now) },
    );
    return rows.map((row) => row.phoneNumber);
  };

  return {
    async find({ userId, sessionId }, now) {
      const session: { provenAt: Date } | undefined = await db('sessions')
        .where({ id: sessionId, user_id: userId })
        .first('proven_at as provenAt');
      if (!session) return undefined;
      const validUntil = new Date(session.provenAt.getTime() + proofMs);
      return {
        validUntil: validUntil > now ? validUntil : undefined,
        phoneNumbers: await phoneNumbers(userId, now),
        hasPasskey: (await db('user_passkeys').where({ user_id: userId }).first('id')) !== undefined,
        hasAuthenticator: (await findActiveSecondFactor(db, userId)) !== undefined,
        email: (await findAccountMail(db, userId))?.email,
      };
    },

    isProven: (requester, now) => isSessionProven(db, requester, now),

    ownerOf: async (sessionId, now) => (await ownerOf(db, sessionId, now))?.userId,

    async ownerByPhone(sessionId, phoneNumber, now) {
      const owner = await ownerOf(db, sessionId, now);
      if (!owner) return 'session_missing';
      const forms = listStoredForms(phoneNumber);
      const isOwn = (await phoneNumbers(owner.userId, now)).some((known) => forms.includes(known));
      return isOwn ? owner.userId : 'mismatch';
    },

    async ownerByMail(sessionId, key, now) {
      const owner = await ownerOf(db, sessionId, now);
      if (!owner) return 'session_missing';
      const ownMail = await findAccountMail(db, owner.userId);
      return ownMail && normalizeMailAddress(ownMail.email) === key ? owner.userId : 'mismatch';
    },

    byCode: (code, by, sessionId, now) =>
      inTransaction(db, async (trx) => {
        if (!(await consumeCodeAndRemember(trx, code, now))) return 'code_used';
        return (await markSessionProven(trx, sessionId, by, now)) ? 'proven' : 'session_missing';
      }),

    byProvider: (identity, sessionId, now) =>
      inTransaction(db, async (trx) => {
        const owner = await ownerOf(trx, sessionId, now);
        if (!owner) return 'session_missing';
        if ((await lockAccountByProvider(trx, identity)) !== owner.userId) return 'mismatch';
        return (await markSessionProven(trx, sessionId, 'provider', now)) ? owner.userId : 'session_missing';
      }),
  };
}
