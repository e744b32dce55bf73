import { deleteInSteps, inTransaction, type Knex } from '@nolo/kit/db';
import type { SessionId, UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import type { GeoPlace } from '@nolo/rules';
import type { ListedSession, NewSession, SessionStore, StoredSession } from '../domain/ports.ts';
import { computeUndoWindowStart } from '../domain/undoWindow.ts';
import { suspendExpiredDevices } from './deviceRows.ts';
import { createSessionsEndedEntries } from './outboxEntries.ts';
import { refuseSuspended } from './suspensions.ts';

interface Ended {
  id: SessionId;
  token_hash: Buffer;
}

/** @param wake called after a commit that wrote to the outbox */
export function createSessionStore(db: Knex, wake: () => void): SessionStore {
  return {
    findByToken: (tokenHash, now): Promise<StoredSession | undefined> =>
      db('sessions')
        .where({ token_hash: tokenHash })
        .where('expires_at', '>', now)
        .leftJoin('closures', 'closures.user_id', 'sessions.user_id')
        .first(
          'sessions.id as sessionId',
          'sessions.user_id as userId',
          'sessions.expires_at as expiresAt',
          'sessions.last_used_at as lastUsedAt',
          'closures.deletes_at as deletesAt',
        ),

    async touch(sessionId, { lastUsedAt, expiresAt }) {
      await db('sessions').where({ id: sessionId }).update({ last_used_at: lastUsedAt, expires_at: expiresAt });
    },

    async recordNetwork(userId, sessionId, { network, place }) {
      const from = { network, ...placeColumns(place) };
      await db('sessions')
        .where({ id: sessionId, user_id: userId })
        .whereRaw('(network, country, city) is distinct from (?::text, ?::text, ?::text)', [
          from.network,
          from.country,
          from.city,
        ] as string[])
        .update(from);
    },

    filterLive: (sessionIds, now): Promise<SessionId[]> =>
      db('sessions').whereIn('id', sessionIds).where('expires_at', '>', now).pluck('id'),

    list: (userId, now, limit): Promise<ListedSession[]> =>
      db('sessions')
        .where({ user_id: userId })
        .where('expires_at', '>', now)
        .orderBy([
          { column: 'last_used_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit)
        .select(
          'id',
          'user_agent as userAgent',
          'method',
          'created_at as createdAt',
          'last_used_at as lastUsedAt',
          'network',
          'country',
          'city',
        ),

    summarize: (userIds, now) =>
      db('sessions')
        .whereIn('user_id', userIds)
        .where('expires_at', '>', now)
        .groupBy('user_id')
        .select('user_id as userId', db.raw('count(*)::integer as devices'))
        .max('last_used_at as lastUsedAt'),

    async end(userId, sessionId) {
      const ended = await inTransaction(db, async (trx) => {
        const [row]: (Ended & { id_token: string | null })[] = await trx('sessions')
          .where({ id: sessionId, user_id: userId })
          .delete(['id', 'token_hash', 'id_token']);
        if (row) await enqueue(trx, ...createSessionsEndedEntries(userId, [row.id]));
        return row;
      });
      if (!ended) return undefined;
      wake();
      return { tokenHash: ended.token_hash, idTokenHint: ended.id_token ?? undefined };
    },

    async endOthers(userId, keep) {
      const ended = await inTransaction(db, (trx) => endSessionsOf(trx, userId, keep));
      if (ended.length > 0) wake();
      return ended;
    },

    async sweep(now) {
      await suspendExpiredDevices(db, now);
      await deleteInSteps(db, 'sessions', (old) => old.where('expires_at', '<=', now));
    },
  };
}

/** Ends all sessions of an account except `keep`. Returns the hashes of those that ended. */
export async function endSessionsOf(
  trx: Knex,
  userId: UserId,
  keep: SessionId | undefined,
  why: { suspended?: true } = {},
): Promise<Buffer[]> {
  const others = trx('sessions').where({ user_id: userId });
  if (keep) void others.whereNot({ id: keep });
  const rows: Ended[] = await others.delete(['id', 'token_hash']);
  await enqueue(
    trx,
    ...createSessionsEndedEntries(
      userId,
      rows.map((row) => row.id),
      why,
    ),
  );
  return rows.map((row) => row.token_hash);
}

const placeColumns = (place: GeoPlace | undefined) => ({ country: place?.country ?? null, city: place?.city ?? null });

/** Returns the stored location where a session was last opened. */
export async function placeOfSession(
  trx: Knex,
  sessionId: SessionId,
): Promise<{ country: string | null; city: string | null }> {
  const session: ReturnType<typeof placeColumns> | undefined = await trx('sessions')
    .where({ id: sessionId })
    .first('country', 'city');
  return session ?? placeColumns(undefined);
}

/** Returns the user agent of a session's device. Empty if the session is gone. */
export async function userAgentOf(trx: Knex, sessionId: SessionId): Promise<string> {
  const session: { user_agent: string } | undefined = await trx('sessions')
    .where({ id: sessionId })
    .first('user_agent');
  return session?.user_agent ?? '';
}

/**
 * Stores a new session and ends the account's least recently used ones above `maxSessions`. The caller holds the lock
 * of the account's row, so simultaneous sign-ins do not each make room only for themselves.
 *
 * @throws AppError forbidden account_suspended
 */
export async function insertSession(
  trx: Knex,
  userId: UserId,
  session: NewSession,
  maxSessions: number,
): Promise<Buffer[]> {
  await refuseSuspended(trx, userId, session.createdAt);
  const surplus = trx('sessions')
    .where({ user_id: userId })
    .orderBy([
      { column: 'last_used_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .offset(maxSessions - 1)
    .select('id');
  const ended: Ended[] = await trx('sessions').whereIn('id', surplus).delete(['id', 'token_hash']);
  await enqueue(
    trx,
    ...createSessionsEndedEntries(
      userId,
      ended.map((row) => row.id),
    ),
  );
  await trx('sessions').insert({
    id: session.id,
    user_id: userId,
    token_hash: session.tokenHash,
    method: session.method,
    user_agent: session.userAgent,
    network: session.network ?? null,
    ...placeColumns(session.place),
    id_token: session.idToken,
    created_at: session.createdAt,
    last_used_at: session.createdAt,
    expires_at: session.expiresAt,
    proven_at: session.createdAt,
    proven_by: session.method,
    // An owner who returns to a hijacked account sees what happened meanwhile.
    notices_seen_at: computeUndoWindowStart(session.createdAt),
  });
  return ended.map((row) => row.token_hash);
}
