import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type {
  AccountIdentityStore,
  AccountIdentity,
  SecurityNoticeChange,
  SecurityNoticeKind,
} from '../domain/securityPorts.ts';
import { isSessionProven } from './proofs.ts';
import { addSecurityNotice } from './securityNotices.ts';
import {
  countSignInMethods,
  dropProviderEmail,
  lockAccount,
  findAccountMail,
  findAccountPasskey,
  findAccountPhone,
  type AccountProvider,
} from './signInMethods.ts';

/** Existing sign-in method and how to remove it. */
interface LinkedIdentity {
  kind: SecurityNoticeKind;
  /** True if the account may be left without a method of this kind. */
  spare?: true;
  /** Removes the method and returns what is needed to restore it. */
  remove(): Promise<SecurityNoticeChange>;
}

async function find(trx: Knex, userId: UserId, identityId: string): Promise<LinkedIdentity | undefined> {
  const of = { user_id: userId, id: identityId };
  const phone = await findAccountPhone(trx, userId);
  if (phone?.id === identityId) {
    return {
      kind: 'phone_removed',
      async remove() {
        await trx('user_phones').where(of).delete();
        return { previousPhoneNumber: phone.phoneNumber, ...addedOf(phone) };
      },
    };
  }
  const mail = await findAccountMail(trx, userId);
  if (mail?.id === identityId) {
    return {
      kind: 'email_removed',
      spare: true,
      async remove() {
        await trx('user_emails').where(of).delete();
        return { previousEmail: mail.email, ...addedOf(mail) };
      },
    };
  }
  const provider: AccountProvider | undefined = await trx('user_providers')
    .where(of)
    .first('issuer', 'subject', 'email', 'linked_at as addedAt', 'added_by as addedBy');
  if (provider) {
    const { issuer, subject, email } = provider;
    return {
      kind: 'provider_removed',
      async remove() {
        await trx('user_providers').where(of).delete();
        return {
          issuer,
          subject,
          email,
          emailTaken: await dropProviderEmail(trx, userId, email),
          ...addedOf(provider),
        };
      },
    };
  }
  const passkey = await findAccountPasskey(trx, userId, identityId);
  if (!passkey) return undefined;
  const { id: passkeyId, name: passkeyName, credentialId, publicKey, counter, transports } = passkey;
  const { multiDevice, backedUp } = passkey;
  return {
    kind: 'passkey_removed',
    async remove() {
      await trx('user_passkeys').where(of).delete();
      const bytes = { credentialId: credentialId.toString('base64url'), publicKey: publicKey.toString('base64url') };
      const kept = { ...bytes, counter, transports, multiDevice, backedUp };
      return { passkeyId, passkeyName, passkey: kept, ...addedOf(passkey) };
    },
  };
}

/** @param wake called after a commit that wrote to the outbox */
export function createAccountIdentityStore(db: Knex, wake: () => void): AccountIdentityStore {
  return {
    async list(userId) {
      const { rows } = await db.raw<{ rows: AccountIdentity[] }>(
        `select id, phone_number as "phoneNumber", null as issuer, null as email,
           verified_at as "addedAt", nullif(added_by, '') as "addedBy",
           null as name, null::timestamptz as "lastUsedAt", null::boolean as synced,
           null::bytea as "credentialId"
         from user_phones where user_id = :userId
         union all
         select id, null, issuer, email, linked_at, nullif(added_by, ''), null, null, null, null
         from user_providers where user_id = :userId
         union all
         select id, null, null, null, added_at, nullif(added_by, ''), name, last_used_at, backed_up,
           credential_id
         from user_passkeys where user_id = :userId
         union all
         select id, null, null, email, added_at, nullif(added_by, ''), null, null, null, null
         from user_emails where user_id = :userId
         order by "addedAt", id`,
        { userId },
      );
      return rows;
    },

    async unlink(requester, identityId, now) {
      const { userId, sessionId } = requester;
      const outcome = await inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, userId);
        if (!account || !(await isSessionProven(trx, requester, now))) return 'unproven' as const;
        const linked = await find(trx, userId, identityId);
        if (!linked) return 'missing' as const;
        if (!linked.spare && (await countSignInMethods(trx, userId)) < 2) return 'last' as const;
        const change = await linked.remove();
        await addSecurityNotice(trx, { userId, sessionId, kind: linked.kind, change, email: account.email, now });
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
