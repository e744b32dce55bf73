import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { limits } from '@nolo/rules';
import type { NewSession, ProviderIdentity, SignedIn, SignIns } from '../domain/ports.ts';
import { claimContacts, lockPhoneNumber } from './contacts.ts';
import { contactsChanged } from './notices.ts';
import { insertSession } from './sessions.ts';
import { useCode } from './verificationCodes.ts';

interface NewAccount {
  firstName?: string;
  lastName?: string;
  email?: string | null;
}

async function insertAccount(trx: Knex, account: NewAccount, now: Date): Promise<UserId> {
  const id = newId<UserId>();
  await trx('users').insert({
    id,
    first_name: account.firstName ?? '',
    last_name: account.lastName ?? '',
    email: account.email ?? null,
    created_at: now,
    updated_at: now,
  });
  return id;
}

/** Locks the account, so that it can neither go nor get sessions from elsewhere until the commit. */
async function lockAccount(trx: Knex, userId: UserId): Promise<boolean> {
  return (await trx('users').where({ id: userId }).forUpdate().first('id')) !== undefined;
}

async function accountWithPhone(trx: Knex, phoneNumber: string): Promise<UserId | undefined> {
  const row: { id: UserId } | undefined = await trx('users')
    .join('user_phones', 'user_phones.user_id', 'users.id')
    .where('user_phones.phone_number', phoneNumber)
    .forUpdate('users')
    .first('users.id as id');
  return row?.id;
}

async function attachPhone(trx: Knex, userId: UserId, phoneNumber: string, now: Date): Promise<void> {
  await trx('user_phones').insert({ phone_number: phoneNumber, user_id: userId, verified_at: now });
  await enqueue(trx, ...contactsChanged(await claimContacts(trx, userId, phoneNumber)));
}

/** First sign-ins with one identity, arriving together, wait here and then find the account made. */
async function lockProvider(trx: Knex, { issuer, subject }: ProviderIdentity): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 2))', [`${issuer}\n${subject}`]);
}

async function accountWithProvider(trx: Knex, { issuer, subject }: ProviderIdentity): Promise<UserId | undefined> {
  const row: { id: UserId } | undefined = await trx('users')
    .join('user_providers', 'user_providers.user_id', 'users.id')
    .where({ issuer, subject })
    .forUpdate('users')
    .first('users.id as id');
  return row?.id;
}

async function attachProvider(trx: Knex, userId: UserId, identity: ProviderIdentity, now: Date): Promise<void> {
  const { issuer, subject, email } = identity;
  await trx('user_providers').insert({ issuer, subject, user_id: userId, email, linked_at: now });
}

/** Takes over what the account does not have yet; what a person wrote is never overwritten by a provider. */
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
  }
}

/** @param wake called after a commit that wrote to the outbox */
export function createSignIns(db: Knex, wake: () => void): SignIns {
  const begin = async (trx: Knex, userId: UserId, created: boolean, session: NewSession): Promise<SignedIn> => ({
    userId,
    created,
    endedTokenHashes: await insertSession(trx, userId, session, limits.sessionsPerUser),
  });

  return {
    async byPhone(code, session) {
      const now = session.createdAt;
      const signedIn = await inTransaction(db, async (trx) => {
        if (!(await useCode(trx, code, now))) return undefined;
        await lockPhoneNumber(trx, code.phoneNumber);
        const known = await accountWithPhone(trx, code.phoneNumber);
        if (known) return begin(trx, known, false, session);
        const userId = await insertAccount(trx, {}, now);
        await attachPhone(trx, userId, code.phoneNumber, now);
        return begin(trx, userId, true, session);
      });
      if (signedIn) wake();
      return signedIn;
    },

    async byProvider(identity, session) {
      const now = session.createdAt;
      const signedIn = await inTransaction(db, async (trx) => {
        await lockProvider(trx, identity);
        const known = await accountWithProvider(trx, identity);
        if (known) {
          await fillFromProvider(trx, known, identity, now);
          return begin(trx, known, false, session);
        }
        // Never joined to an account with the same mail address: whoever controls a mailbox at one provider
        // would take over what belongs to someone else (decision 6 links only at a signed-in person's wish).
        const { firstName, lastName, verifiedEmail: email } = identity;
        const userId = await insertAccount(trx, { firstName, lastName, email }, now);
        await attachProvider(trx, userId, identity, now);
        return begin(trx, userId, true, session);
      });
      wake();
      return signedIn;
    },

    async linkPhone(code, userId, now) {
      const outcome = await inTransaction(db, async (trx) => {
        // The code is used up even where the number turns out to be taken: it has said what it had to say.
        if (!(await useCode(trx, code, now))) return 'code_used' as const;
        await lockPhoneNumber(trx, code.phoneNumber);
        const owner = await accountWithPhone(trx, code.phoneNumber);
        if (owner) return owner === userId ? ('linked' as const) : ('taken' as const);
        if (!(await lockAccount(trx, userId))) return 'user_missing' as const;
        // An account has one number; a newly proven one takes the place of the older.
        await trx('user_phones').where({ user_id: userId }).delete();
        await attachPhone(trx, userId, code.phoneNumber, now);
        await trx('users').where({ id: userId }).update({ updated_at: now });
        return 'linked' as const;
      });
      wake();
      return outcome;
    },

    linkProvider: (identity, userId, now) =>
      inTransaction(db, async (trx) => {
        await lockProvider(trx, identity);
        const owner = await accountWithProvider(trx, identity);
        if (owner) return owner === userId ? 'linked' : 'taken';
        if (!(await lockAccount(trx, userId))) return 'user_missing';
        await attachProvider(trx, userId, identity, now);
        await fillFromProvider(trx, userId, identity, now);
        return 'linked';
      }),
  };
}
