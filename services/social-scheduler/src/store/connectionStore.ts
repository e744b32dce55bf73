import type { Clock } from '@nolo/kit/clock';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { batchCalls } from '@nolo/kit/batchCalls';
import { newId, type UserId } from '@nolo/kit/ids';
import { socialLimits } from '@nolo/rules';
import type { KeyRing } from '@nolo/kit/keyRing';
import type { ConnectionStore } from '../domain/ports.ts';
import { createSocialError } from '../errors.ts';
import type { AccountGrant, PlatformId } from '../domain/platform.ts';
import { enqueueFrames } from './enqueueFrames.ts';
import {
  createConnectionTokenCipher,
  toConnectionView,
  type ConnectionRow,
  type ConnectionTokenCipher,
} from './connectionTokenCipher.ts';
import { createPendingConnectionStore } from './pendingConnections.ts';
import { createTokenRenewal } from './tokenRenewal.ts';

/** Adds new connections and updates the tokens of existing ones. */
const putAll = async (
  trx: Knex,
  { sealed }: ConnectionTokenCipher,
  userId: UserId,
  platform: PlatformId,
  grants: readonly AccountGrant[],
) => {
  const mine = await trx<ConnectionRow>('connections').where({ user_id: userId });
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
    await trx<ConnectionRow>('connections')
      .insert(row)
      .onConflict('id')
      .merge(['name', 'state', 'sealed_tokens', 'tokens_end_at']);
  }
};

/** @param wake called after a commit that wrote frames */
export function createConnectionStore(
  db: Knex,
  keys: KeyRing,
  clock: Clock,
  wake: () => void = () => undefined,
): ConnectionStore {
  const table = (on: Knex = db) => on<ConnectionRow>('connections');
  const tokens = createConnectionTokenCipher(keys);
  const { opened } = tokens;

  /** Batches lookups, because many posts may be due at the same time. */
  const find = batchCalls(async (ids: string[]) => {
    const rows = new Map((await table().whereIn('id', ids)).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id));
  }, 500);

  /** Serializes changes of one person's connections. */
  const alone = async <T>(userId: UserId, work: (trx: Knex) => Promise<T>): Promise<T> => {
    const done = await inTransaction(db, async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [userId]);
      return await work(trx);
    });
    wake();
    return done;
  };
  const changed = (trx: Knex, userId: UserId, platform: PlatformId) =>
    enqueueFrames(trx, { userId, frame: { type: 'social_connections_changed', data: { platform } } });

  return {
    ...createTokenRenewal(db, keys, tokens),

    ...createPendingConnectionStore(db, keys, clock),

    put: (userId, platform, grants, mayConnect) =>
      alone(userId, async (trx) => {
        if (mayConnect) mayConnect(await table(trx).where({ user_id: userId }).pluck('platform'));
        await putAll(trx, tokens, userId, platform, grants);
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

    list: async (userId) => (await table().where({ user_id: userId }).orderBy('connected_at')).map(toConnectionView),

    async get(id) {
      const row = await find(id);
      return row && (await opened(row));
    },

    async expire(id) {
      await inTransaction(db, async (trx) => {
        const [row] = await table(trx).where({ id }).update({ state: 'expired' }, ['user_id', 'platform']);
        if (row) await changed(trx, row.user_id, row.platform);
      });
      wake();
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

    count: () =>
      table()
        .groupBy('platform', 'state')
        .select<{ platform: PlatformId; state: string; count: number }[]>(
          'platform',
          'state',
          db.raw('count(*)::int as count'),
        ),

    async forget(userId) {
      await db('pending_connections').where({ user_id: userId }).delete();
      await db('posts').where({ user_id: userId }).delete();
      await db('use_ends').where({ user_id: userId }).delete();
      return await Promise.all((await table().where({ user_id: userId }).delete('*')).map(opened));
    },
  };
}

const tooManyConnections = () =>
  createSocialError('conflict', 'too_many_connections', 'You have reached the limit of connected accounts.', {
    limit: socialLimits.socialAccountsPerUser,
  });
export const connectionNotFound = () =>
  createSocialError('not_found', 'connection_not_found', 'One of these accounts is not connected.');
