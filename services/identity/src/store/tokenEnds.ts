import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { sessionsEnded } from './notices.ts';

/* Which personal access tokens live and how they end, as the transactions that end them reach for it. */

/** Neither expired nor revoked. */
export const liveTokens = (trx: Knex, now: Date) =>
  trx('access_tokens').whereNull('revoked_at').where('expires_at', '>', now);

/** The live ones of an account, whose gateways have to hear when it goes. */
export function liveTokenIds(trx: Knex, userId: UserId, now: Date): Promise<string[]> {
  return liveTokens(trx, now).where({ user_id: userId }).pluck('id');
}

/**
 * Revokes tokens in the caller's transaction. Gateways hear of it as they do of sessions that end, and refuse them from
 * then on. Answers with how many there were.
 */
export async function revokeTokens(trx: Knex, userId: UserId, tokenIds: readonly string[], now: Date): Promise<number> {
  const rows: { id: string }[] = await trx('access_tokens')
    .where({ user_id: userId })
    .whereIn('id', tokenIds)
    .whereNull('revoked_at')
    .update({ revoked_at: now }, ['id']);
  await enqueue(
    trx,
    ...sessionsEnded(
      userId,
      rows.map(({ id }) => id),
    ),
  );
  return rows.length;
}
