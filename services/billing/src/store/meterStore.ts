import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { failBilling } from '../errors.ts';

export interface Usage {
  readonly used: number;
  readonly reserved: number;
}

export interface Reservation {
  /** The caller's, so that asking again is asking once. */
  readonly id: string;
  readonly meter: string;
  readonly userId: UserId;
  readonly period: string;
  readonly amount: number;
}

interface ReservationRow {
  id: string;
  meter: string;
  user_id: UserId;
  period: string;
  amount: number;
  state: 'reserved' | 'committed' | 'released';
}

const takenId = () => failBilling('conflict', 'reservation_taken', 'This id belongs to something else.');

export type MeterStore = ReturnType<typeof createMeterStore>;

const nothing: Usage = { used: 0, reserved: 0 };

/** Usage of what is limited, exact however many count at once: who changes a person's meter holds its row. */
export function createMeterStore(db: Knex) {
  /** Holds the meter's row, from before anything of it is looked at. */
  const hold = async (trx: Knex, meter: Pick<Reservation, 'userId' | 'meter' | 'period'>): Promise<Usage> => {
    const key = { user_id: meter.userId, meter: meter.meter, period: meter.period };
    await trx('usage').insert(key).onConflict(['user_id', 'meter', 'period']).ignore();
    return (await trx<Usage>('usage').where(key).forUpdate().first('used', 'reserved')) ?? nothing;
  };
  const write = async (trx: Knex, row: ReservationRow, { used, reserved }: Usage): Promise<Usage> => {
    await trx('usage').where({ user_id: row.user_id, meter: row.meter, period: row.period }).update({ used, reserved });
    return { used, reserved };
  };
  const find = async (trx: Knex, meter: string, id: string): Promise<ReservationRow | undefined> =>
    await trx<ReservationRow>('reservations').where({ meter, id }).first();

  /** Ends a reservation that is there, once; `end` says what is counted then. */
  const settle = async (
    userId: UserId,
    meter: string,
    id: string,
    end: (row: ReservationRow, usage: Usage) => { state: 'committed' | 'released'; amount: number; usage: Usage },
  ): Promise<Usage | undefined> =>
    await inTransaction(db, async (trx) => {
      const seen = await find(trx, meter, id);
      if (!seen || seen.user_id !== userId) return undefined;
      const usage = await hold(trx, { userId, meter, period: seen.period });
      // Somebody else may have ended it while the row was waited for.
      const row = (await find(trx, meter, id)) ?? seen;
      const { state, amount, usage: after } = end(row, usage);
      if (state === row.state && amount === row.amount) return usage;
      await trx('reservations').where({ meter, id }).update({ state, amount });
      return await write(trx, row, after);
    });

  return {
    /** What is counted in a period. */
    async read(userId: UserId, meter: string, period: string): Promise<Usage> {
      const row = await db<Usage>('usage').where({ user_id: userId, meter, period }).first('used', 'reserved');
      return row ?? nothing;
    },

    /**
     * Reserves, unless that were more than the limit together with what is used and reserved. A reservation that is there
     * already answers as it did.
     */
    reserve: (
      one: Reservation,
      limit: number,
      times: { now: Date; expiresAt: Date },
    ): Promise<Usage & { fits: boolean }> =>
      inTransaction(db, async (trx) => {
        const { id, meter, userId, amount, period } = one;
        const usage = await hold(trx, one);
        const before = await find(trx, meter, id);
        if (before && before.user_id !== userId) throw takenId();
        if (before && before.state !== 'released') return { ...usage, fits: true };
        if (usage.used + usage.reserved + amount > limit) return { ...usage, fits: false };
        const row = { id, meter, user_id: userId, period, amount, state: 'reserved' as const };
        const dated = { ...row, reserved_at: times.now, expires_at: times.expiresAt };
        const written = await trx('reservations')
          .insert(dated)
          .onConflict(['meter', 'id'])
          .merge(dated)
          .where('reservations.state', 'released')
          .where('reservations.user_id', userId)
          .returning('id');
        // Asked for at once in two months, only one of which counts.
        if (written.length === 0) return { ...usage, fits: true };
        const after = await write(trx, row, { used: usage.used, reserved: usage.reserved + amount });
        return { ...after, fits: true };
      }),

    /** What was reserved has happened, perhaps to another amount; also where it was given back meanwhile. */
    commit: (userId: UserId, meter: string, id: string, amount: number | undefined): Promise<Usage | undefined> =>
      settle(userId, meter, id, (row, { used, reserved }) => {
        if (row.state === 'committed') return { state: 'committed', amount: row.amount, usage: { used, reserved } };
        const open = row.state === 'reserved' ? row.amount : 0;
        const counted = amount ?? row.amount;
        return { state: 'committed', amount: counted, usage: { used: used + counted, reserved: reserved - open } };
      }),

    /** It does not happen: what was reserved, or counted, is given back. */
    release: (userId: UserId, meter: string, id: string): Promise<Usage | undefined> =>
      settle(userId, meter, id, (row, { used, reserved }) => {
        const [open, counted] = [row.state === 'reserved' ? row.amount : 0, row.state === 'committed' ? row.amount : 0];
        return { state: 'released', amount: row.amount, usage: { used: used - counted, reserved: reserved - open } };
      }),

    /** Gives back some of which nothing was heard for too long; answers how many. */
    async releaseExpired(now: Date, limit = 500): Promise<number> {
      const rows = await db<ReservationRow & { expires_at: Date }>('reservations')
        .where({ state: 'reserved' })
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit);
      for (const { user_id: userId, meter, id } of rows) {
        await settle(userId, meter, id, (row, { used, reserved }) =>
          row.state === 'reserved'
            ? { state: 'released', amount: row.amount, usage: { used, reserved: reserved - row.amount } }
            : { state: row.state, amount: row.amount, usage: { used, reserved } },
        );
      }
      return rows.length;
    },

    /** What the meters say and what the reservations come to, where they differ; for the nightly check. */
    async differences(limit = 100): Promise<{ userId: UserId; meter: string; period: string }[]> {
      const { rows } = (await db.raw(
        `select u.user_id as "userId", u.meter, u.period from usage u left join lateral (
          select coalesce(sum(amount) filter (where state = 'committed'), 0) as used,
            coalesce(sum(amount) filter (where state = 'reserved'), 0) as reserved
          from reservations r where r.user_id = u.user_id and r.meter = u.meter and r.period = u.period
        ) r on true where r.used <> u.used or r.reserved <> u.reserved limit ?`,
        [limit],
      )) as { rows: { userId: UserId; meter: string; period: string }[] };
      return rows;
    },
  };
}
