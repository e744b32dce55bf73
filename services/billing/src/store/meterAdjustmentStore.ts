import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import type { MeterAdjustmentReason, CountedUse, ReportedLevel, ReportedUse } from '../domain/meterSources.ts';
import { monthIn, type MonthlyFeature } from '../domain/meters.ts';
import type { MeterAdjustmentStore } from '../domain/ports.ts';

interface Row {
  id: string;
  feature: string;
  user_id: UserId;
  period: string;
  amount: number;
  state: CountedUse['state'];
  reserved_at: Date;
}

type Key = Pick<Row, 'feature' | 'user_id' | 'period'>;

const nothing = { used: 0, reserved: 0 };

const countedFrom = (row: Row): CountedUse => ({
  id: row.id,
  userId: row.user_id,
  amount: row.amount,
  state: row.state,
  reservedAt: row.reserved_at,
});

/** Returns what a use in this state adds to its meter. */
const shareOf = ({ state, amount }: Pick<Row, 'state' | 'amount'>) => ({
  used: state === 'committed' ? amount : 0,
  reserved: state === 'reserved' ? amount : 0,
});

/** Locks the meter's row, like all counting code does, and applies the difference between two states of a use. */
async function change(trx: Knex, key: Key, was: Pick<Row, 'state' | 'amount'>, is: Pick<Row, 'state' | 'amount'>) {
  const [before, after] = [shareOf(was), shareOf(is)];
  const usage = (await trx<typeof nothing>('usage').where(key).first('used', 'reserved')) ?? nothing;
  const next = {
    used: Math.max(0, usage.used + after.used - before.used),
    reserved: Math.max(0, usage.reserved + after.reserved - before.reserved),
  };
  await trx('usage').where(key).update(next);
  return next.used + next.reserved - usage.used - usage.reserved;
}

const hold = async (trx: Knex, key: Key): Promise<void> => {
  await trx('usage').insert(key).onConflict(['user_id', 'feature', 'period']).ignore();
  await trx('usage').where(key).forUpdate().first('used');
};

const insertAdjustment = async (
  trx: Knex,
  entry: { key: Key; reservationId: string | null; amount: number; reason: MeterAdjustmentReason; at: Date },
): Promise<void> => {
  const { key, reservationId, amount, reason, at } = entry;
  await trx('meter_adjustments').insert({ id: newId(), ...key, reservation_id: reservationId, amount, reason, at });
};

/** Adjusts meters that differ from the service, each with an entry that records the reason. */
export function createMeterAdjustmentStore(db: Knex): MeterAdjustmentStore {
  const rows = (on: Knex = db) => on<Row>('reservations');

  return {
    async counted(feature, ids) {
      const found = await rows()
        .where({ feature })
        .whereIn('id', [...ids]);
      return new Map(found.map((row) => [row.id, countedFrom(row)]));
    },

    async countedSince(feature, { since, reservedBefore, after, limit }) {
      const query = rows()
        .where({ feature })
        .whereNot('state', 'released')
        .where('reserved_at', '>', since)
        // A reservation is created before the service knows its outcome.
        .whereRaw(`(state = 'committed' or reserved_at < ?)`, [reservedBefore])
        .orderBy('id')
        .limit(limit);
      if (after !== '') void query.where('id', '>', after);
      return (await query).map(countedFrom);
    },

    countAs: (feature: MonthlyFeature, { id, userId, amount = 0, usedAt }: ReportedUse, at: Date) =>
      inTransaction(db, async (trx) => {
        const zone = await trx('accounts').where({ user_id: userId }).first<{ time_zone: string } | undefined>();
        const known = await rows(trx).where({ feature, id }).first();
        const period = known?.period ?? monthIn(zone?.time_zone ?? 'UTC', usedAt);
        const key = { feature, user_id: known?.user_id ?? userId, period };
        await hold(trx, key);
        const is = { state: 'committed' as const, amount };
        const was = (await rows(trx).where({ feature, id }).first()) ?? { state: 'released' as const, amount: 0 };
        if (was.state === is.state && was.amount === is.amount) return undefined;
        const row = { id, ...key, ...is, reserved_at: at, expires_at: null };
        await trx('reservations').insert(row).onConflict(['feature', 'id']).merge(is);
        const reason = known ? ('counted_otherwise' as const) : ('not_counted' as const);
        await insertAdjustment(trx, { key, reservationId: id, amount: await change(trx, key, was, is), reason, at });
        return reason;
      }),

    takeBack: (feature, { id, state, amount }, at) =>
      inTransaction(db, async (trx) => {
        const known = await rows(trx).where({ feature, id }).first();
        if (!known) return undefined;
        const key = { feature, user_id: known.user_id, period: known.period };
        await hold(trx, key);
        const was = await rows(trx).where({ feature, id }).first();
        // A concurrent change has already settled it.
        if (!was || was.state !== state || was.amount !== amount) return undefined;
        const is = { state: 'released' as const, amount: was.amount };
        await rows(trx).where({ feature, id }).update({ state: is.state });
        await insertAdjustment(trx, {
          key,
          reservationId: id,
          amount: await change(trx, key, was, is),
          reason: 'not_used',
          at,
        });
        return 'not_used';
      }),

    async levelsOf(feature, userIds) {
      const found = (await db('levels')
        .where({ feature })
        .whereIn('user_id', [...userIds])
        .select('user_id as userId', 'amount')) as ReportedLevel[];
      return new Map(found.map(({ userId, amount }) => [userId, amount]));
    },

    async levelsAfter(feature, after, limit) {
      const query = db('levels').where({ feature }).where('amount', '>', 0).orderBy('user_id').limit(limit);
      if (after !== '') void query.where('user_id', '>', after);
      return (await query.select('user_id as userId', 'amount')) as ReportedLevel[];
    },

    setLevel: (feature, { userId, amount }, seen, at) =>
      inTransaction(db, async (trx) => {
        const key = { user_id: userId, feature };
        const was = await trx<{ amount: number }>('levels').where(key).forUpdate().first('amount');
        if ((was?.amount ?? 0) !== seen || seen === amount) return undefined;
        await trx('levels')
          .insert({ ...key, amount, at })
          .onConflict(['user_id', 'feature'])
          .merge({ amount, at });
        const entry = { key: { ...key, period: '' }, reservationId: null, amount: amount - seen, at };
        await insertAdjustment(trx, { ...entry, reason: 'level_differs' });
        return 'level_differs';
      }),
  };
}
