import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { createSessionsEndedEntries } from './outboxEntries.ts';

/* Live personal access tokens and how they end, for use in transactions. */

/** Tokens that are neither expired nor revoked. */
export const selectLiveAccessTokens = (trx: Knex, now: Date) =>
  trx('access_tokens').whereNull('revoked_at').where('expires_at', '>', now);

/** Returns the live tokens of an account, because gateways must be notified when it closes. */
export function listLiveAccessTokenIds(trx: Knex, userId: UserId, now: Date): Promise<string[]> {
  return selectLiveAccessTokens(trx, now).where({ user_id: userId }).pluck('id');
}

/**
 * Revokes tokens in the caller's transaction. Gateways are notified as for ended sessions and refuse the tokens from
 * then on. Returns the number revoked.
 */
export async function revokeAccessTokens(
  trx: Knex,
  userId: UserId,
  tokenIds: readonly string[],
  now: Date,
): Promise<number> {
  const rows: { id: string }[] = await trx('access_tokens')
    .where({ user_id: userId })
    .whereIn('id', tokenIds)
    .whereNull('revoked_at')
    .update({ revoked_at: now }, ['id']);
  await enqueue(
    trx,
    ...createSessionsEndedEntries(
      userId,
      rows.map(({ id }) => id),
    ),
  );
  return rows.length;
}
