import type { Knex } from '@nolo/kit/db';
import { newId, type SessionId, type UserId } from '@nolo/kit/ids';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import { notUndoableKinds } from '../domain/securityMail.ts';
import type { SecurityNoticeChange, SecurityNoticeKind } from '../domain/securityPorts.ts';
import { endAccountRecoveryWait, undoSecondFactorChange } from './secondFactorState.ts';
import { revokeAccessTokens } from './tokenEnds.ts';
import {
  lockAccountByMail,
  lockAccountByPhone,
  lockAccountByProvider,
  attachMail,
  attachPasskey,
  attachPhone,
  attachProvider,
  countSignInMethods,
  dropProviderEmail,
  findAccountMail,
  findAccountPhone,
} from './signInMethods.ts';

const additions: ReadonlySet<SecurityNoticeKind> = new Set([
  'phone_added',
  'provider_added',
  'passkey_added',
  'email_added',
]);

interface UndoableNotice {
  id: string;
  kind: SecurityNoticeKind;
  change: SecurityNoticeChange;
}

interface Undoing {
  userId: UserId;
  /** First change to undo. */
  since: { id: string; createdAt: Date };
  /** Session whose changes stay. */
  keep?: SessionId | undefined;
  now: Date;
}

const dated = ({ addedAt, addedBy }: SecurityNoticeChange, now: Date) => ({
  addedAt: addedAt === undefined ? now : new Date(addedAt),
  addedBy: addedBy ?? '',
});

/**
 * Restores a number that left the account, unless it belongs to another account by now or a change that stays replaced
 * it.
 */
async function restorePhone(trx: Knex, userId: UserId, change: SecurityNoticeChange, undone: Set<string>, now: Date) {
  const phoneNumber = change.previousPhoneNumber;
  if (phoneNumber === undefined || (await lockAccountByPhone(trx, phoneNumber)) !== undefined) return;
  const current = await findAccountPhone(trx, userId);
  if (current && !undone.has(current.phoneNumber)) return;
  await trx('user_phones').where({ user_id: userId }).delete();
  await attachPhone(trx, userId, { phoneNumber, ...dated(change, now) });
}

/** Restores an email address under the same conditions. */
async function restoreMail(trx: Knex, userId: UserId, change: SecurityNoticeChange, undone: Set<string>, now: Date) {
  const email = change.previousEmail;
  if (email === undefined || (await lockAccountByMail(trx, normalizeMailAddress(email))) !== undefined) return;
  const current = await findAccountMail(trx, userId);
  if (current && !undone.has(current.email)) return;
  await trx('user_emails').where({ user_id: userId }).delete();
  await attachMail(trx, userId, { id: newId(), email, ...dated(change, now) });
}

async function restoreProvider(trx: Knex, userId: UserId, change: SecurityNoticeChange, now: Date) {
  const { issuer, subject, email = null, emailTaken } = change;
  if (issuer === undefined || subject === undefined) return;
  if ((await lockAccountByProvider(trx, { issuer, subject })) !== undefined) return;
  await attachProvider(trx, userId, { issuer, subject, email, ...dated(change, now) });
  if (emailTaken) await trx('users').where({ id: userId }).whereNull('email').update({ email });
}

async function restorePasskey(trx: Knex, userId: UserId, change: SecurityNoticeChange, now: Date) {
  const { passkeyId: id, passkeyName: name = '', passkey } = change;
  if (id === undefined || passkey === undefined) return;
  const credentialId = Buffer.from(passkey.credentialId, 'base64url');
  const publicKey = Buffer.from(passkey.publicKey, 'base64url');
  await attachPasskey(trx, userId, { ...passkey, id, name, credentialId, publicKey, ...dated(change, now) });
}

/** Removes what was added, except the last sign-in method: an account that nobody can enter helps nobody. */
async function removeAdded(trx: Knex, userId: UserId, { kind, change }: UndoableNotice) {
  if (kind === 'email_added') {
    await trx('user_emails')
      .where({ user_id: userId, email: change.email ?? '' })
      .delete();
    return;
  }
  if ((await countSignInMethods(trx, userId)) < 2) return;
  if (kind === 'phone_added') {
    await trx('user_phones')
      .where({ user_id: userId, phone_number: change.phoneNumber ?? '' })
      .delete();
    return;
  }
  if (kind === 'passkey_added') {
    const { passkeyId: id } = change;
    if (id !== undefined) await trx('user_passkeys').where({ user_id: userId, id }).delete();
    return;
  }
  const { issuer = '', subject = '', email = null, emailGiven } = change;
  await trx('user_providers').where({ user_id: userId, issuer, subject }).delete();
  if (emailGiven) await dropProviderEmail(trx, userId, email);
}

/**
 * Undoes the changes of an account's sign-in methods since `since` and its new tokens, latest first. Returns their
 * number. Restores removed methods before removing added ones, so a way to sign in always exists. The caller holds the
 * account's lock.
 */
export async function undoSecurityChanges(trx: Knex, { userId, since, keep, now }: Undoing): Promise<number> {
  const query = trx('security_notices')
    .where({ user_id: userId })
    .whereNotIn('kind', [...notUndoableKinds])
    .whereNull('undone_at')
    .whereRaw('(created_at, id) >= (?, ?::uuid)', [since.createdAt, since.id])
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
  if (keep) void query.whereNot({ session_id: keep });
  const notices: UndoableNotice[] = await query.select('id', 'kind', 'change');
  const changes = notices.filter(({ kind }) => kind !== 'signed_in');
  const undone = new Set(
    changes.flatMap(({ kind, change }) => (kind.startsWith('email_') ? change.email : change.phoneNumber) ?? []),
  );
  for (const { kind, change } of changes) {
    if (kind === 'provider_removed') await restoreProvider(trx, userId, change, now);
    else if (kind === 'passkey_removed') await restorePasskey(trx, userId, change, now);
    else if (kind === 'phone_removed' || kind === 'phone_replaced') {
      await restorePhone(trx, userId, change, undone, now);
    } else if (kind === 'email_removed' || kind === 'email_replaced') {
      await restoreMail(trx, userId, change, undone, now);
    }
  }
  for (const one of changes) {
    if (additions.has(one.kind)) await removeAdded(trx, userId, one);
  }
  for (const { kind, change } of changes) await undoSecondFactorChange(trx, userId, kind, change, now);
  // An owner who takes the account back does not give it to anyone waiting for it.
  await endAccountRecoveryWait(trx, userId, now);
  await revokeAccessTokens(
    trx,
    userId,
    changes.flatMap(({ change }) => change.tokenId ?? []),
    now,
  );
  await trx('security_notices')
    .whereIn(
      'id',
      notices.map(({ id }) => id),
    )
    .update({ undone_at: now });
  await trx('users').where({ id: userId }).update({ updated_at: now });
  return changes.length;
}
