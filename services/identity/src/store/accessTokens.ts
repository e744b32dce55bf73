import { deleteInSteps, inTransaction, type Knex } from '@nolo/kit/db';
import { limits } from '@nolo/rules';
import type { AccessToken, AccessTokenStore, LiveAccessToken, AccessTokenId } from '../domain/tokenPorts.ts';
import { isSessionProven } from './proofs.ts';
import { addSecurityNotice } from './securityNotices.ts';
import { selectLiveSuspensions } from './suspensions.ts';
import { selectLiveAccessTokens, listLiveAccessTokenIds, revokeAccessTokens } from './tokenEnds.ts';
import { lockAccount } from './signInMethods.ts';

const dayMs = 86_400_000;

/** @param wake called after a commit that wrote to the outbox */
export function createAccessTokenStore(db: Knex, wake: () => void): AccessTokenStore {
  return {
    async create(requester, { hash, ...token }, maxTokens) {
      const { userId, sessionId } = requester;
      const now = token.createdAt;
      const outcome = await inTransaction(db, async (trx) => {
        // The account's lock keeps simultaneous requests from exceeding the limit together.
        const account = await lockAccount(trx, userId);
        if (!account) return 'missing' as const;
        if (!(await isSessionProven(trx, requester, now))) return 'unproven' as const;
        if ((await listLiveAccessTokenIds(trx, userId, now)).length >= maxTokens) return 'limit' as const;
        await trx('access_tokens').insert({
          id: token.id,
          user_id: userId,
          name: token.name,
          scopes: token.scopes,
          token_hash: hash,
          created_at: now,
          expires_at: token.expiresAt,
        });
        const change = { tokenId: token.id, tokenName: token.name };
        await addSecurityNotice(trx, { userId, sessionId, kind: 'token_created', change, email: account.email, now });
        return 'created' as const;
      });
      if (outcome === 'created') wake();
      return outcome;
    },

    async list(userId, after, limit) {
      const page = db('access_tokens').where({ user_id: userId }).whereNull('revoked_at');
      if (after) void page.whereRaw('(created_at, id) < (?::timestamptz, ?::uuid)', [after.key, after.id]);
      const rows: AccessToken[] = await page
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit)
        .select(
          'id',
          'name',
          'scopes',
          'created_at as createdAt',
          'last_used_at as lastUsedAt',
          'expires_at as expiresAt',
        );
      return rows;
    },

    async revoke(userId, tokenId, now) {
      const revoked = await inTransaction(db, (trx) => revokeAccessTokens(trx, userId, [tokenId], now));
      if (revoked > 0) wake();
      return revoked > 0;
    },

    findLive: (hash, now): Promise<LiveAccessToken | undefined> =>
      selectLiveAccessTokens(db, now)
        .where({ token_hash: hash })
        .whereNotIn('user_id', selectLiveSuspensions(db, now).select('user_id'))
        .whereNotIn('user_id', db('closures').select('user_id'))
        .first('id', 'user_id as userId', 'scopes', 'last_used_at as lastUsedAt', 'expires_at as expiresAt'),

    async touch(tokenId: AccessTokenId, now) {
      await db('access_tokens').where({ id: tokenId }).update({ last_used_at: now });
    },

    async sweep(now) {
      const before = new Date(now.getTime() - limits.accessTokenKeptDays * dayMs);
      await deleteInSteps(db, 'access_tokens', (old) => old.whereRaw('least(expires_at, revoked_at) <= ?', [before]));
    },
  };
}
