import { inTransaction, type Knex } from '@nolo/kit/db';
import type { Identities, Identity } from '../domain/securityPorts.ts';
import { isProven } from './proofs.ts';
import { tell } from './securityNotices.ts';
import { countWaysIn, dropEmail, lockAccount, phoneOf, type HeldProvider } from './waysIn.ts';

/** @param wake called after a commit that wrote to the outbox */
export function createIdentities(db: Knex, wake: () => void): Identities {
  return {
    async list(userId) {
      const { rows } = await db.raw<{ rows: Identity[] }>(
        `select id, phone_number as "phoneNumber", null as issuer, null as email,
           verified_at as "addedAt", nullif(added_by, '') as "addedBy"
         from user_phones where user_id = :userId
         union all
         select id, null, issuer, email, linked_at, nullif(added_by, '')
         from user_providers where user_id = :userId
         order by "addedAt", id`,
        { userId },
      );
      return rows;
    },

    async unlink(asking, identityId, now) {
      const { userId, sessionId } = asking;
      const outcome = await inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, userId);
        if (!account || !(await isProven(trx, asking, now))) return 'unproven' as const;
        const phone = await phoneOf(trx, userId);
        const provider: HeldProvider | undefined = await trx('user_providers')
          .where({ user_id: userId, id: identityId })
          .first('issuer', 'subject', 'email', 'linked_at as addedAt', 'added_by as addedBy');
        if (phone?.id !== identityId && !provider) return 'missing' as const;
        if ((await countWaysIn(trx, userId)) < 2) return 'last' as const;
        const about = { userId, sessionId, email: account.email, now };
        if (provider) {
          const { issuer, subject, email } = provider;
          await trx('user_providers').where({ user_id: userId, id: identityId }).delete();
          const emailTaken = await dropEmail(trx, userId, email);
          const change = { issuer, subject, email, emailTaken, ...addedOf(provider) };
          await tell(trx, { ...about, kind: 'provider_removed', change });
        } else if (phone) {
          await trx('user_phones').where({ user_id: userId }).delete();
          const change = { previousPhoneNumber: phone.phoneNumber, ...addedOf(phone) };
          await tell(trx, { ...about, kind: 'phone_removed', change });
        }
        await trx('users').where({ id: userId }).update({ updated_at: now });
        return 'unlinked' as const;
      });
      if (outcome === 'unlinked') wake();
      return outcome;
    },
  };
}

function addedOf({ addedAt, addedBy }: { addedAt: Date; addedBy: string }) {
  return { addedAt: addedAt.toISOString(), addedBy };
}
