import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { supportedLanguages } from '@nolo/rules';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import type { MailAddressStore } from '../domain/mailPorts.ts';
import { isSessionProven } from './proofs.ts';
import { addSecurityNotice } from './securityNotices.ts';
import { userAgentOf } from './sessions.ts';
import { consumeCodeAndRemember } from './verificationCodes.ts';
import { lockAccountByMail, attachMail, lockAccount, findAccountMail } from './signInMethods.ts';

/** @param wake called after a commit that wrote to the outbox */
export function createMailAddressStore(db: Knex, wake: () => void): MailAddressStore {
  return {
    async ownerOf(key) {
      const row: { userId: UserId; email: string; language: string | null } | undefined = await db('user_emails as e')
        .join('users as u', 'u.id', 'e.user_id')
        .where('e.email_key', key)
        .first('e.user_id as userId', 'e.email', 'u.language');
      return row && { ...row, language: supportedLanguages.find((known) => known === row.language) };
    },

    async link(code, email, requester, now) {
      const { userId, sessionId } = requester;
      const outcome = await inTransaction(db, async (trx) => {
        if (!(await consumeCodeAndRemember(trx, code, now))) return 'code_used' as const;
        // If two accounts prove the same address, the later one finds it taken.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 5))', [normalizeMailAddress(email)]);
        const owner = await lockAccountByMail(trx, normalizeMailAddress(email));
        if (owner && owner !== userId) return 'taken' as const;
        const account = await lockAccount(trx, userId);
        if (!account || !(await isSessionProven(trx, requester, now))) return 'unproven' as const;
        if (owner) return 'linked' as const;
        const former = await findAccountMail(trx, userId);
        await trx('user_emails').where({ user_id: userId }).delete();
        const addedBy = await userAgentOf(trx, sessionId);
        await attachMail(trx, userId, { id: newId(), email, addedAt: now, addedBy });
        await trx('users').where({ id: userId }).update({ updated_at: now });
        const replaced = former && {
          previousEmail: former.email,
          addedAt: former.addedAt.toISOString(),
          addedBy: former.addedBy,
        };
        const kind = replaced ? 'email_replaced' : 'email_added';
        await addSecurityNotice(trx, {
          userId,
          sessionId,
          kind,
          change: { email, ...replaced },
          email: account.email,
          now,
        });
        return 'linked' as const;
      });
      wake();
      return outcome;
    },
  };
}
