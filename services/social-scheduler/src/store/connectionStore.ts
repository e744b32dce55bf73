import { createHash } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import { Secret } from '@nolo/kit/config';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { gather } from '@nolo/kit/gather';
import { newId, type UserId } from '@nolo/kit/ids';
import { socialLimits } from '@nolo/rules';
import { z } from 'zod';
import type { ConnectionStore, StoredConnection } from '../domain/ports.ts';
import { failSocial } from '../errors.ts';
import type { KeyRing } from '@nolo/kit/keyRing';
import type { Grant, PlatformId, Tokens } from '../domain/platform.ts';
import { tell } from './telling.ts';

interface Row {
  id: string;
  user_id: UserId;
  platform: PlatformId;
  server: string;
  account_id: string;
  name: string;
  sealed_tokens: Buffer;
  tokens_end_at: Date | null;
  state: 'active' | 'expired';
  chosen: boolean;
}

/** For which somebody may come back from a platform. */
export const pendingMs = 10 * 60_000;
/** Beginnings that one person may have open. */
const mostPending = 20;

const tokensSchema = z.object({ access: z.string(), refresh: z.string().optional() });
const pendingSchema = z.object({
  state: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  server: z.string().optional(),
});

const hashOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/** @param wake called after a commit that wrote frames. */
export function createConnectionStore(
  db: Knex,
  keys: KeyRing,
  clock: Clock,
  wake: () => void = () => undefined,
): ConnectionStore {
  const table = (on: Knex = db) => on<Row>('connections');

  /** Posts that fall due together ask together. */
  const find = gather(async (ids: string[]) => {
    const rows = new Map((await table().whereIn('id', ids)).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id));
  }, 500);

  const sealed = async (id: string, { access, refresh, expiresAt }: Tokens) => ({
    sealed_tokens: await keys.seal(JSON.stringify({ access: access.reveal(), refresh: refresh?.reveal() }), id),
    tokens_end_at: expiresAt ?? null,
  });
  const opened = async (row: Row): Promise<StoredConnection> => {
    const { access, refresh } = tokensSchema.parse(JSON.parse(await keys.open(row.sealed_tokens, row.id)));
    return {
      ...shown(row),
      tokens: {
        access: new Secret(access),
        refresh: refresh === undefined ? undefined : new Secret(refresh),
        expiresAt: row.tokens_end_at ?? undefined,
      },
    };
  };

  /** With whoever else changes what this person has connected one after the other. */
  const alone = async <T>(userId: UserId, work: (trx: Knex) => Promise<T>): Promise<T> => {
    const done = await inTransaction(db, async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [userId]);
      return await work(trx);
    });
    wake();
    return done;
  };
  const changed = (trx: Knex, userId: UserId, platform: PlatformId) =>
    tell(trx, { userId, frame: { type: 'social_connections_changed', data: { platform } } });

  /** New ones are added, and those that were there get their new tokens. */
  const putAll = async (trx: Knex, userId: UserId, platform: PlatformId, grants: readonly Grant[]) => {
    const mine = await table(trx).where({ user_id: userId });
    const before = mine.filter((row) => row.platform === platform);
    let room = socialLimits.socialAccountsPerUser - mine.length;
    let choosing = grants.length === 1 || before.every(({ chosen }) => !chosen);
    for (const { account, tokens } of grants) {
      const key = { user_id: userId, platform, server: account.server ?? '', account_id: account.id };
      const known = before.find((row) => row.server === key.server && row.account_id === key.account_id);
      if (!known && room-- <= 0) throw tooManyConnections();
      const id = known?.id ?? newId();
      const chosen = known?.chosen ?? choosing;
      if (chosen) choosing = false;
      const row = { ...key, id, name: account.name, state: 'active' as const, chosen, ...(await sealed(id, tokens)) };
      await table(trx).insert(row).onConflict('id').merge(['name', 'state', 'sealed_tokens', 'tokens_end_at']);
    }
  };

  return {
    put: (userId, platform, grants, mayConnect) =>
      alone(userId, async (trx) => {
        if (mayConnect) mayConnect(await table(trx).where({ user_id: userId }).pluck('platform'));
        await putAll(trx, userId, platform, grants);
        await changed(trx, userId, platform);
      }),
    choose: (userId, platform, ids) =>
      alone(userId, async (trx) => {
        const mine = await table(trx).where({ user_id: userId, platform }).select('id');
        if (ids.some((id) => !mine.some((row) => row.id === id))) throw connectionNotFound();
        await table(trx)
          .where({ user_id: userId, platform })
          .update({ chosen: trx.raw('id = any(?::uuid[])', [[...ids]]) });
        await changed(trx, userId, platform);
      }),
    list: async (userId) => (await table().where({ user_id: userId }).orderBy('connected_at')).map(shown),
    async get(id) {
      const row = await find(id);
      return row && (await opened(row));
    },
    renew: (id, stale, renew) =>
      // Held while the platform is asked, as a refresh token is good for one use; and not run again, for the same reason.
      db.transaction(async (trx) => {
        const row = await table(trx).where({ id }).forUpdate().first();
        if (!row) return undefined;
        const now = await opened(row);
        if (now.tokens.access.reveal() !== stale.access.reveal()) return now;
        const tokens = await renew(now);
        await table(trx)
          .where({ id })
          .update({ ...(await sealed(id, tokens)), state: 'active' });
        return { ...now, tokens, state: 'active' as const };
      }),
    async expire(id) {
      await inTransaction(db, async (trx) => {
        const [row] = await table(trx).where({ id }).update({ state: 'expired' }, ['user_id', 'platform']);
        if (row) await changed(trx, row.user_id, row.platform);
      });
      wake();
    },
    async ending(before) {
      const rows = await table()
        .where({ state: 'active' })
        .where('tokens_end_at', '<', before)
        .orderBy('tokens_end_at')
        .limit(500);
      return await Promise.all(rows.map(opened));
    },
    async take(userId, platform, id) {
      const chosen = { user_id: userId, platform, ...(id === undefined ? {} : { id }) };
      const rows = await alone(userId, async (trx) => {
        const taken = await table(trx).where(chosen).delete('*');
        if (taken.length > 0) await changed(trx, userId, platform);
        return taken;
      });
      return await Promise.all(rows.map(opened));
    },
    async begin(userId, platform, pending) {
      const state_hash = hashOf(pending.state);
      const text = await keys.seal(JSON.stringify(pending), `pending ${state_hash.toString('hex')}`);
      const expires_at = new Date(clock.now().getTime() + pendingMs);
      await inTransaction(db, async (trx) => {
        await trx('pending_connections').insert({ state_hash, user_id: userId, platform, sealed: text, expires_at });
        const newest = trx('pending_connections')
          .where({ user_id: userId })
          .orderBy('expires_at', 'desc')
          .limit(mostPending);
        await trx('pending_connections')
          .where({ user_id: userId })
          .whereNotIn('state_hash', newest.select('state_hash'))
          .delete();
      });
    },
    async finish(userId, platform, state) {
      const state_hash = hashOf(state);
      const rows = (await db('pending_connections').where({ state_hash, user_id: userId, platform }).delete('*')) as {
        sealed: Buffer;
        expires_at: Date;
      }[];
      const [row] = rows;
      if (!row || row.expires_at <= clock.now()) return undefined;
      return pendingSchema.parse(JSON.parse(await keys.open(row.sealed, `pending ${state_hash.toString('hex')}`)));
    },
    async reseal() {
      const rows = (await table().select('id', 'sealed_tokens')).filter((row) => keys.isOld(row.sealed_tokens));
      for (const { id } of rows.slice(0, 500)) {
        await inTransaction(db, async (trx) => {
          const row = await table(trx).where({ id }).forUpdate().first();
          if (row)
            await table(trx)
              .where({ id })
              .update(await sealed(id, (await opened(row)).tokens));
        });
      }
      return Math.min(rows.length, 500);
    },
    count: () =>
      table()
        .groupBy('platform', 'state')
        .select<{ platform: PlatformId; state: string; count: number }[]>(
          'platform',
          'state',
          db.raw('count(*)::int as count'),
        ),
    sweep: (now) => db('pending_connections').where('expires_at', '<=', now).delete(),
    async forget(userId) {
      await db('pending_connections').where({ user_id: userId }).delete();
      await db('posts').where({ user_id: userId }).delete();
      await db('use_ends').where({ user_id: userId }).delete();
      return await Promise.all((await table().where({ user_id: userId }).delete('*')).map(opened));
    },
  };
}

const tooManyConnections = () =>
  failSocial('conflict', 'too_many_connections', 'No more accounts can be connected.', {
    limit: socialLimits.socialAccountsPerUser,
  });
export const connectionNotFound = () =>
  failSocial('not_found', 'connection_not_found', 'One of these accounts is not connected.');

const shown = (row: Row): Omit<StoredConnection, 'tokens'> => ({
  id: row.id,
  userId: row.user_id,
  platform: row.platform,
  state: row.state,
  chosen: row.chosen,
  account: { id: row.account_id, name: row.name, server: row.server === '' ? undefined : row.server },
});
