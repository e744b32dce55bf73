import type { Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import type { NewPasskey } from '../domain/passkeyPorts.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';
import { linkContactsToAccount } from './contacts.ts';
import { createContactsChangedEntries } from './outboxEntries.ts';

/* Sign-in methods of an account, for use in transactions. */

export interface AccountPhone {
  phoneNumber: string;
  addedAt: Date;
  addedBy: string;
}

export interface AccountProvider {
  issuer: string;
  subject: string;
  email: string | null;
  addedAt: Date;
  addedBy: string;
}

export interface AccountPasskey extends NewPasskey {
  addedAt: Date;
  addedBy: string;
}

export interface AccountMail {
  id: string;
  email: string;
  addedAt: Date;
  addedBy: string;
}

/** Columns of a `Passkey`. The counter has 32 bits (WebAuthn, section 6.1), which a number can hold. */
export const passkeyColumns = [
  'id',
  'user_id as userId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
  'transports',
  'multi_device as multiDevice',
  'backed_up as backedUp',
] as const;

/**
 * Locks the account so that it cannot be deleted or get sessions or sign-in methods from elsewhere until the commit.
 */
export async function lockAccount(trx: Knex, userId: UserId): Promise<{ email: string | null } | undefined> {
  return trx('users').where({ id: userId }).forUpdate().first('email');
}

export async function lockAccountByPhone(trx: Knex, phoneNumber: string): Promise<UserId | undefined> {
  const row: { id: UserId } | undefined = await trx('users')
    .join('user_phones', 'user_phones.user_id', 'users.id')
    .whereIn('user_phones.phone_number', listStoredForms(phoneNumber))
    .orderByRaw('user_phones.phone_number = ? desc', [phoneNumber])
    .forUpdate('users')
    .first('users.id as id');
  return row?.id;
}

export async function lockAccountByProvider(
  trx: Knex,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<UserId | undefined> {
  const row: { id: UserId } | undefined = await trx('users')
    .join('user_providers', 'user_providers.user_id', 'users.id')
    .where({ issuer, subject })
    .forUpdate('users')
    .first('users.id as id');
  return row?.id;
}

export function findAccountPhone(trx: Knex, userId: UserId): Promise<(AccountPhone & { id: string }) | undefined> {
  return trx('user_phones')
    .where({ user_id: userId })
    .first('id', 'phone_number as phoneNumber', 'verified_at as addedAt', 'added_by as addedBy');
}

/**
 * Returns the verified address that receives codes. It does not count as a sign-in method by itself, because a mailbox
 * alone must not be all that is left.
 */
export function findAccountMail(trx: Knex, userId: UserId): Promise<AccountMail | undefined> {
  return trx('user_emails')
    .where({ user_id: userId })
    .first('id', 'email', 'added_at as addedAt', 'added_by as addedBy');
}

export async function lockAccountByMail(trx: Knex, key: string): Promise<UserId | undefined> {
  const row: { id: UserId } | undefined = await trx('users')
    .join('user_emails', 'user_emails.user_id', 'users.id')
    .where('user_emails.email_key', key)
    .forUpdate('users')
    .first('users.id as id');
  return row?.id;
}

export async function attachMail(
  trx: Knex,
  userId: UserId,
  { id, email, addedAt, addedBy }: AccountMail,
): Promise<void> {
  await trx('user_emails').insert({
    id,
    user_id: userId,
    email,
    email_key: normalizeMailAddress(email),
    added_at: addedAt,
    added_by: addedBy,
  });
}

export async function attachPhone(trx: Knex, userId: UserId, phone: AccountPhone): Promise<void> {
  const { phoneNumber, addedAt, addedBy } = phone;
  await trx('user_phones').insert({
    id: newId(),
    phone_number: phoneNumber,
    user_id: userId,
    verified_at: addedAt,
    added_by: addedBy,
  });
  await enqueue(trx, ...createContactsChangedEntries(await linkContactsToAccount(trx, userId, phoneNumber)));
}

export async function attachProvider(trx: Knex, userId: UserId, provider: AccountProvider): Promise<void> {
  const { issuer, subject, email, addedAt, addedBy } = provider;
  await trx('user_providers').insert({
    id: newId(),
    issuer,
    subject,
    user_id: userId,
    email,
    linked_at: addedAt,
    added_by: addedBy,
  });
}

export async function attachPasskey(trx: Knex, userId: UserId, passkey: AccountPasskey): Promise<boolean> {
  const rows: unknown[] = await trx('user_passkeys')
    .insert({
      id: passkey.id,
      user_id: userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      multi_device: passkey.multiDevice,
      backed_up: passkey.backedUp,
      name: passkey.name,
      added_at: passkey.addedAt,
      added_by: passkey.addedBy,
    })
    .onConflict('credential_id')
    .ignore()
    .returning('id');
  return rows.length === 1;
}

export function findAccountPasskey(trx: Knex, userId: UserId, id: string): Promise<AccountPasskey | undefined> {
  return trx('user_passkeys')
    .where({ user_id: userId, id })
    .first(...passkeyColumns, 'name', 'added_at as addedAt', 'added_by as addedBy');
}

/**
 * Counts sign-in methods. A caller that removes one holds the account's lock, so simultaneous removals cannot both keep
 * the last.
 */
export async function countSignInMethods(trx: Knex, userId: UserId): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ count: number }] }>(
    `select ((select count(*) from user_phones where user_id = :userId)
      + (select count(*) from user_providers where user_id = :userId)
      + (select count(*) from user_passkeys where user_id = :userId))::int as count`,
    { userId },
  );
  return rows[0].count;
}

/** Removes the account's email address if it came from the removed provider. Returns true if it did. */
export async function dropProviderEmail(trx: Knex, userId: UserId, email: string | null): Promise<boolean> {
  if (email === null) return false;
  const dropped = await trx('users')
    .where({ id: userId })
    .whereRaw('lower(email) = lower(?)', [email])
    .whereNotExists(trx('user_providers').where({ user_id: userId }).whereRaw('lower(email) = lower(?)', [email]))
    .update({ email: null });
  return dropped === 1;
}
