import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { FeatureUsage, MeterStore, UsageReservation, MeterUsage } from '../domain/ports.ts';
import { createBillingError } from '../errors.ts';

interface ReservationRow {
  id: string;
  feature: string;
  user_id: UserId;
  period: string;
  amount: number;
  state: 'reserved' | 'committed' | 'released';
}

const takenId = () => createBillingError('not_found', 'reservation_not_found', 'This reservation does not exist.');

/** Releases a reserved amount, and a committed one only if the caller requests that. */
const givenBack = ({ state, amount }: ReservationRow, { used, reserved }: MeterUsage, committed: boolean) => {
  if (state === 'reserved') return { state: 'released' as const, amount, usage: { used, reserved: reserved - amount } };
  if (state === 'committed' && committed) {
    return { state: 'released' as const, amount, usage: { used: used - amount, reserved } };
  }
  return { state, amount, usage: { used, reserved } };
};

/** Maximum number of reported differences per check. */
const maxShownDifferences = 100;

const nothing: MeterUsage = { used: 0, reserved: 0 };

/** Stores usage of limited features, exact under concurrency: every change locks the meter's row. */
export function createMeterStore(db: Knex): MeterStore {
  /** Locks the meter's row before reading it. */
  const hold = async (trx: Knex, key: Pick<UsageReservation, 'userId' | 'feature' | 'period'>): Promise<MeterUsage> => {
    const where = { user_id: key.userId, feature: key.feature, period: key.period };
    await trx('usage').insert(where).onConflict(['user_id', 'feature', 'period']).ignore();
    return (await trx<MeterUsage>('usage').where(where).forUpdate().first('used', 'reserved')) ?? nothing;
  };
  const write = async (trx: Knex, row: ReservationRow, { used, reserved }: MeterUsage): Promise<MeterUsage> => {
    await trx('usage')
      .where({ user_id: row.user_id, feature: row.feature, period: row.period })
      .update({ used, reserved });
    return { used, reserved };
  };
  const find = async (trx: Knex, feature: string, id: string): Promise<ReservationRow | undefined> =>
    await trx<ReservationRow>('reservations').where({ feature, id }).first();

  /** Ends an existing reservation once; `end` returns the resulting usage. */
  const settle = async (
    userId: UserId,
    feature: string,
    id: string,
    end: (
      row: ReservationRow,
      usage: MeterUsage,
    ) => { state: 'committed' | 'released'; amount: number; usage: MeterUsage },
  ): Promise<MeterUsage | undefined> =>
    await inTransaction(db, async (trx) => {
      const seen = await find(trx, feature, id);
      if (!seen || seen.user_id !== userId) return undefined;
      const usage = await hold(trx, { userId, feature, period: seen.period });
      // A concurrent transaction may have ended it while this one waited for the row.
      const row = (await find(trx, feature, id)) ?? seen;
      const { state, amount, usage: after } = end(row, usage);
      if (state === row.state && amount === row.amount) return usage;
      await trx('reservations').where({ feature, id }).update({ state, amount });
      return await write(trx, row, after);
    });

  return {
    async report(userId, feature, amount, at) {
      await db('levels')
        .insert({ user_id: userId, feature, amount, at })
        .onConflict(['user_id', 'feature'])
        .merge({ amount, at })
        .where('levels.at', '<', at);
    },

    async usageOf(userIds, periodOf) {
      const pairs = userIds.map((userId) => [userId, periodOf(userId)]);
      const counted = (await db('usage')
        .whereIn(['user_id', 'period'], pairs)
        .select('user_id as userId', 'feature', db.raw('used + reserved as amount'))) as FeatureUsage[];
      const kept = (await db('levels')
        .whereIn('user_id', [...userIds])
        .select('user_id as userId', 'feature', 'amount')) as FeatureUsage[];
      return [...counted, ...kept];
    },

    reserve: (one, limit, times) =>
      inTransaction(db, async (trx) => {
        const { id, feature, userId, amount, period } = one;
        const usage = await hold(trx, one);
        const before = await find(trx, feature, id);
        if (before && before.user_id !== userId) throw takenId();
        if (before && before.state !== 'released') return { ...usage, fits: true };
        if (usage.used + usage.reserved + amount > limit) return { ...usage, fits: false };
        const row = { id, feature, user_id: userId, period, amount, state: 'reserved' as const };
        const dated = { ...row, reserved_at: times.now, expires_at: times.expiresAt };
        const written = await trx('reservations')
          .insert(dated)
          .onConflict(['feature', 'id'])
          .merge(dated)
          .where('reservations.state', 'released')
          .where('reservations.user_id', userId)
          .returning('id');
        // Two concurrent requests used different months; only one is counted.
        if (written.length === 0) return { ...usage, fits: true };
        const after = await write(trx, row, { used: usage.used, reserved: usage.reserved + amount });
        return { ...after, fits: true };
      }),

    commit: (userId, feature, id, amount) =>
      settle(userId, feature, id, (row, { used, reserved }) => {
        if (row.state === 'committed') return { state: 'committed', amount: row.amount, usage: { used, reserved } };
        const open = row.state === 'reserved' ? row.amount : 0;
        const counted = Math.min(amount, row.amount);
        return { state: 'committed', amount: counted, usage: { used: used + counted, reserved: reserved - open } };
      }),

    release: (userId, feature, id, { committed }) =>
      settle(userId, feature, id, (row, usage) => givenBack(row, usage, committed)),

    async releaseExpired(now, limit) {
      const rows = await db<ReservationRow & { expires_at: Date }>('reservations')
        .where({ state: 'reserved' })
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit);
      for (const { user_id: userId, feature, id } of rows) {
        await settle(userId, feature, id, (row, usage) => givenBack(row, usage, false));
      }
      return rows.length;
    },

    forget: (userId) =>
      inTransaction(db, async (trx) => {
        for (const table of ['reservations', 'usage', 'levels']) await trx(table).where({ user_id: userId }).delete();
      }),

    async differences() {
      const { rows } = (await db.raw(
        `select u.user_id as "userId", u.feature, u.period from usage u left join lateral (
          select coalesce(sum(amount) filter (where state = 'committed'), 0) as used,
            coalesce(sum(amount) filter (where state = 'reserved'), 0) as reserved
          from reservations r where r.user_id = u.user_id and r.feature = u.feature and r.period = u.period
        ) r on true where r.used <> u.used or r.reserved <> u.reserved limit ?`,
        [maxShownDifferences],
      )) as { rows: { userId: UserId; feature: string; period: string }[] };
      return rows;
    },
  };
}
