import type { Clock } from '@nolo/kit/clock';
import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { noopUsageMeter, type UsageMeter } from '@nolo/installation/usage';
import type { UsageMonth, UsageStore } from '../domain/ports.ts';

interface ClaimRow {
  id: string;
  user_id: UserId;
  month: UsageMonth;
  seconds: number;
  expires_at: Date;
}

interface UsageRow {
  user_id: UserId;
  month: UsageMonth;
  seconds: number;
}

/** Name of these seconds in the meter. */
export const transcriptionSecondsFeature = 'transcriptionSeconds';

export function createUsageStore(db: Knex, clock: Clock, meter: UsageMeter = noopUsageMeter): UsageStore {
  const usage = (on: Knex = db) => on<UsageRow>('usage');
  const claims = (on: Knex = db) => on<ClaimRow>('claims');
  /** Reports the end of a reservation in the transaction that ends it. */
  const reportUse = (
    trx: Knex,
    { id, user_id: userId }: Pick<ClaimRow, 'id' | 'user_id'>,
    amount: number | 'released',
  ) => meter.end(trx, { feature: transcriptionSecondsFeature, id, userId, amount, at: clock.now() });
  /** Deletes unused reservations. */
  const giveBack = async (which: (query: Knex.QueryBuilder<ClaimRow>) => unknown): Promise<number> => {
    const rows = await inTransaction(db, async (trx) => {
      const query = claims(trx);
      which(query);
      const gone = (await query.delete(['id', 'user_id'])) as Pick<ClaimRow, 'id' | 'user_id'>[];
      for (const row of gone) await reportUse(trx, row, 'released');
      return gone.length;
    });
    if (rows > 0) void meter.deliver();
    return rows;
  };
  const usedIn = async (on: Knex, userId: UserId, month: UsageMonth): Promise<number> =>
    (await usage(on).where({ user_id: userId, month }).first('seconds'))?.seconds ?? 0;

  return {
    claim: ({ id, userId, month, seconds, expiresAt }, { limitSeconds, maxConcurrent }, now) =>
      inTransaction(db, async (trx) => {
        // The lock keeps two simultaneous requests from both taking the last capacity.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [userId]);
        const open = await claims(trx)
          .where({ user_id: userId })
          .where('expires_at', '>', now)
          .select('month', 'seconds');
        if (open.length >= maxConcurrent) return { kind: 'too_many' };
        const claimed = open.filter((one) => one.month === month).reduce((sum, one) => sum + one.seconds, 0);
        const usedSeconds = (await usedIn(trx, userId, month)) + claimed;
        if (usedSeconds + seconds > limitSeconds) return { kind: 'used_up', usedSeconds };
        await claims(trx).insert({ id, user_id: userId, month, seconds, expires_at: expiresAt });
        return { kind: 'claimed' };
      }),

    async settle(claimId, seconds) {
      await inTransaction(db, async (trx) => {
        const [claim] = await claims(trx).where({ id: claimId }).delete(['id', 'user_id', 'month']);
        if (!claim) return;
        await reportUse(trx, claim, seconds);
        await usage(trx)
          .insert({ user_id: claim.user_id, month: claim.month, seconds })
          .onConflict(['user_id', 'month'])
          .merge({ seconds: trx.raw('usage.seconds + excluded.seconds') });
      });
      void meter.deliver();
    },

    async release(claimId) {
      await giveBack((query) => query.where({ id: claimId }));
    },

    used: (userId, month) => usedIn(db, userId, month),

    forget: (userId) =>
      inTransaction(db, async (trx) => {
        // Deletes reservations first, so that work in progress for the person finds none and counts nothing.
        await claims(trx).where({ user_id: userId }).delete();
        await usage(trx).where({ user_id: userId }).delete();
        await trx('use_ends').where({ user_id: userId }).delete();
      }),

    async sweep(now, before) {
      const expired = await giveBack((query) => query.where('expires_at', '<=', now));
      const old = await usage().where('month', '<', before).delete();
      return expired + old;
    },
  };
}
