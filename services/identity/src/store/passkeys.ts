import { inTransaction, type Knex } from '@nolo/kit/db';
import { limits } from '@nolo/rules';
import type { Passkey, PasskeyStore, VerifiedPasskey } from '../domain/passkeyPorts.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { endAccountRecoveryWait } from './secondFactorState.ts';
import { isSessionProven, markSessionProven } from './proofs.ts';
import { addSecurityNotice } from './securityNotices.ts';
import { userAgentOf } from './sessions.ts';
import { startSignedInSession } from './signIns.ts';
import { attachPasskey, countSignInMethods, lockAccount, passkeyColumns } from './signInMethods.ts';

/**
 * Records that a passkey was used, unless it was used or removed since it was read. Two responses with the same counter
 * mean that one is from a copy. The caller holds the account's lock.
 */
async function use(
  trx: Knex,
  { passkey, counter, multiDevice, backedUp }: VerifiedPasskey,
  now: Date,
): Promise<boolean> {
  const used = await trx('user_passkeys')
    .where({ id: passkey.id, user_id: passkey.userId, counter: passkey.counter })
    .update({ counter, multi_device: multiDevice, backed_up: backedUp, last_used_at: now });
  return used === 1;
}

async function refuse(db: Knex, requester: RequestingSession, now: Date): Promise<'unproven' | 'limit' | undefined> {
  if (!(await isSessionProven(db, requester, now))) return 'unproven';
  return (await countSignInMethods(db, requester.userId)) >= limits.identitiesPerUser ? 'limit' : undefined;
}

/** @param wake called after a commit that wrote to the outbox */
export function createPasskeyStore(db: Knex, wake: () => void): PasskeyStore {
  return {
    credentialsOf: (userId) =>
      db('user_passkeys')
        .where({ user_id: userId })
        .orderBy('id')
        .select('credential_id as credentialId', 'transports'),

    find: (credentialId): Promise<Passkey | undefined> =>
      db('user_passkeys')
        .where({ credential_id: credentialId })
        .first(...passkeyColumns),

    refuse: (requester, now) => refuse(db, requester, now),

    async add(requester, passkey, now) {
      const { userId, sessionId } = requester;
      const outcome = await inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, userId);
        if (!account) return 'unproven' as const;
        const refused = await refuse(trx, requester, now);
        if (refused) return refused;
        const addedBy = await userAgentOf(trx, sessionId);
        if (!(await attachPasskey(trx, userId, { ...passkey, addedAt: now, addedBy }))) return 'taken' as const;
        await trx('users').where({ id: userId }).update({ updated_at: now });
        const change = { passkeyId: passkey.id, passkeyName: passkey.name };
        await addSecurityNotice(trx, { userId, sessionId, kind: 'passkey_added', change, email: account.email, now });
        return 'added' as const;
      });
      if (outcome === 'added') wake();
      return outcome;
    },

    async rename(userId, id, name) {
      return (await db('user_passkeys').where({ id, user_id: userId }).update({ name })) === 1;
    },

    async signIn(used, session) {
      const { userId } = used.passkey;
      const signedIn = await inTransaction(db, async (trx) => {
        if (!(await lockAccount(trx, userId)) || !(await use(trx, used, session.createdAt))) return 'stale' as const;
        // A passkey outranks the factor that the waiting person lacks.
        await endAccountRecoveryWait(trx, userId, session.createdAt);
        return startSignedInSession(trx, { userId, created: false, session });
      });
      if (signedIn !== 'stale') wake();
      return signedIn;
    },

    prove: (used, sessionId, now) =>
      inTransaction(db, async (trx) => {
        if (!(await lockAccount(trx, used.passkey.userId)) || !(await use(trx, used, now))) return 'stale';
        return (await markSessionProven(trx, sessionId, 'passkey', now)) ? 'proven' : 'session_missing';
      }),
  };
}
