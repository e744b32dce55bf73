import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { Account } from '../domain/ports.ts';
import { findActiveSecondFactor } from './secondFactorState.ts';

/** Exports that a second factor exists and pending requests to sign in without it. Never exports secrets. */
async function exportFactor(db: Knex, userId: UserId) {
  const factor = await findActiveSecondFactor(db, userId);
  const codes: { usedAt: Date | null }[] = factor
    ? await db('recovery_codes').where({ factor_id: factor.id }).orderBy('used_at').select('used_at as usedAt')
    : [];
  const wait: unknown = await db('account_waits')
    .where({ user_id: userId })
    .first('asked_at as askedAt', 'opens_at as opensAt', 'ends_at as endsAt', 'user_agent as userAgent');
  const kept = factor && {
    addedAt: factor.confirmedAt,
    registrationLock: factor.registrationLock,
    recoveryCodesLeft: codes.filter(({ usedAt }) => usedAt === null).length,
    recoveryCodesUsedAt: codes.flatMap(({ usedAt }) => usedAt ?? []),
  };
  return { secondFactor: kept ?? null, accountWait: wait ?? null };
}

/** Exports devices with keys: public statements, and seeds that only a passkey opens. Bytes are in base64. */
async function exportKeys(db: Knex, userId: UserId) {
  const base64 = (column: string) => db.raw(`replace(encode(??, 'base64'), E'\\n', '')`, [column]);
  const [devices, deviceLists, boxKeys, recoverySeeds] = await Promise.all([
    db('devices')
      .where({ user_id: userId })
      .orderBy('created_at')
      .select(
        'id',
        'kind',
        'name',
        'chain',
        'created_at as createdAt',
        'suspended_at as suspendedAt',
        'removed_at as removedAt',
      ),
    db('device_lists')
      .where({ user_id: userId })
      .orderBy(['chain', 'n'])
      .select('chain', 'n', 'created_at as createdAt', {
        body: base64('body'),
        signature: base64('signature'),
      }),
    db('box_keys as b')
      .join('devices as d', 'd.id', 'b.device_id')
      .where('d.user_id', userId)
      .orderBy('d.created_at')
      .select('b.device_id as deviceId', 'b.number', 'b.at', {
        body: base64('b.body'),
        signature: base64('b.signature'),
      }),
    db('passkey_seeds')
      .where({ user_id: userId })
      .select('passkey_id as passkeyId', 'at as storedAt', { wrapped: base64('wrapped') }),
  ]);
  return { devices, deviceLists, boxKeys, recoverySeeds };
}

/** Exports all stored data of an account under names that its owner can read. */
export async function exportAccountRows(db: Knex, account: Account): Promise<Record<string, unknown>> {
  const userId = account.id;
  const emails: unknown[] = await db('user_emails')
    .where({ user_id: userId })
    .select('email', 'added_at as addedAt', 'added_by as addedBy');
  const [phones, providers, passkeys, sessions, contacts, blocks, notices, accessTokens, suspensions, acts, reports] =
    await Promise.all([
      db('user_phones')
        .where({ user_id: userId })
        .select('phone_number as phoneNumber', 'verified_at as verifiedAt', 'added_by as addedBy'),
      db('user_providers')
        .where({ user_id: userId })
        .select('issuer', 'subject', 'email', 'linked_at as linkedAt', 'added_by as addedBy'),
      db('user_passkeys')
        .where({ user_id: userId })
        .orderBy('added_at')
        .select(
          'name',
          'added_at as addedAt',
          'added_by as addedBy',
          'last_used_at as lastUsedAt',
          'backed_up as synced',
        ),
      db('sessions')
        .where({ user_id: userId })
        .orderBy('created_at')
        .select(
          'id',
          'method',
          'user_agent as userAgent',
          'network',
          'country',
          'city',
          'created_at as createdAt',
          'last_used_at as lastUsedAt',
          'expires_at as expiresAt',
        ),
      db('contacts')
        .where({ owner_id: userId })
        .orderBy('created_at')
        .select(
          'id',
          'user_id as userId',
          'phone_number as phoneNumber',
          'display_name as displayName',
          'created_at as createdAt',
        ),
      db('blocks')
        .where({ blocker_id: userId })
        .orderBy('created_at')
        .select('blocked_id as userId', 'created_at as blockedAt'),
      db('security_notices')
        .where({ user_id: userId })
        .orderBy('created_at')
        .select(
          'kind',
          'created_at as createdAt',
          'user_agent as userAgent',
          'country',
          'city',
          'change',
          'undone_at as undoneAt',
        ),
      db('access_tokens')
        .where({ user_id: userId })
        .orderBy('created_at')
        .select(
          'name',
          'scopes',
          'created_at as createdAt',
          'last_used_at as lastUsedAt',
          'expires_at as expiresAt',
          'revoked_at as revokedAt',
        ),
      db('suspensions').where({ user_id: userId }).select('reason', 'since', 'until'),
      // Operator actions on the account, without naming the operators.
      db('operator_acts').where({ user_id: userId }).orderBy('position').select('at', 'action', 'reason'),
      db('reports')
        .where({ reporter_id: userId })
        .orderBy('id')
        .select('at', 'kind', 'target_id as targetId', 'category', 'note', 'messages', 'state'),
    ]);
  const { phoneNumber: _phone, providerIssuers: _issuers, preferences: liked, ...profile } = account;
  const preferences = liked.map(({ json, ...one }) => ({ ...one, value: JSON.parse(json) as unknown }));
  const factor = await exportFactor(db, userId);
  const keys = await exportKeys(db, userId);
  return {
    profile,
    preferences,
    phones,
    emails,
    providers,
    passkeys,
    ...factor,
    ...keys,
    sessions,
    contacts,
    blocks,
    notices,
    accessTokens,
    suspensions,
    acts,
    reports,
  };
}
