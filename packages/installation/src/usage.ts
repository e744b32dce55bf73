import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import { isAppError } from '@nolo/kit/errors';
import { inTransaction } from '@nolo/kit/db';
import type { Log } from '@nolo/kit/log';
import type { PeriodicTask } from '@nolo/kit/repeat';
import { sampleOnScrape } from '@nolo/kit/telemetry';

/** Amount of a plan's monthly allowance that one item uses: a post, a voice note. */
export interface PlanUse {
  readonly userId: string;
  readonly feature: string;
  /** UUID of that item, for idempotency: a repeated request with it takes nothing more. */
  readonly id: string;
  /** Amount in the feature's unit, at least 1. */
  readonly amount: number;
  /** Time of use, which determines the month in which it counts. */
  readonly at: Date;
}

/**
 * Result of a reservation. `unknown` if billing is unavailable: the service's own count and the last known limit then
 * decide.
 */
export type ReservationOutcome =
  | { readonly kind: 'reserved' }
  | { readonly kind: 'full'; readonly limit: number; readonly used: number }
  | { readonly kind: 'unknown' };

/** Final state of a use: the amount used, or released. */
export type PlanUseEnd = Omit<PlanUse, 'amount'> & { readonly amount: number | 'released' };

/** Subset of EntitlementsService for metering. */
export interface UsageMeterClient {
  reserveUsage(
    request: { userId: string; feature: string; amount: number; reservationId: string; at: Date | undefined },
    options?: { timeoutMs?: number },
  ): Promise<unknown>;
  commitUsage(
    request: { userId: string; feature: string; reservationId: string; amount: number },
    options?: { timeoutMs?: number },
  ): Promise<unknown>;
  releaseUsage(
    request: { userId: string; feature: string; reservationId: string; committed: boolean },
    options?: { timeoutMs?: number },
  ): Promise<unknown>;
}

/** Reports plan usage to billing, exactly once for each use, despite outages and crashes. */
export interface UsageMeter {
  /** Reserves an amount before its use. */
  reserve(use: PlanUse): Promise<ReservationOutcome>;
  /**
   * Releases a reservation whose use did not happen. A use ended with an amount stays counted: only another `end`
   * releases it. Never rejects, because billing expires forgotten reservations itself.
   */
  release(use: Pick<PlanUse, 'userId' | 'feature' | 'id'>): Promise<void>;
  /** Records the outcome of a use in the transaction that decides it. The last outcome of a use wins. */
  end(trx: Knex, end: PlanUseEnd): Promise<void>;
  /** Sends recorded outcomes to billing, after the commit. Never rejects; unsent ones go with the next sweep. */
  deliver(): Promise<void>;
  /** Resolves once deliveries in progress have ended. */
  stop(): Promise<void>;
  /** Task to be repeated. */
  readonly sweep: PeriodicTask;
}

const timeoutMs = 2_000;
const sweepEveryMs = 30_000;
/**
 * Interval of sweeps when idle. Outcomes are sent after their commit; sweeps find those of a process that died in
 * between.
 */
const quietMs = 120_000;
/** Retention of reported uses in days; longer than the period for which billing reconciles them. */
const reportedUsesKeptDays = 70;
const forgottenAtOnce = 1_000;
const refusedForHours = 6;

/** Migration step for a service that meters usage. */
export async function createUseTable(db: Knex): Promise<void> {
  await db.raw(`
    create sequence use_ends_order;
    create table use_ends (
      feature text not null,
      id uuid not null,
      user_id uuid not null,
      amount bigint,
      used_at timestamptz not null,
      written bigint not null default nextval('use_ends_order'),
      refused text,
      primary key (feature, id)
    );
    comment on table use_ends is 'What billing has not been told yet of what was used; amount is null where it was given back.';
    comment on column use_ends.refused is 'Why billing does not take it, for an operator to see.';
    create index use_ends_waiting on use_ends (written) where refused is null;
  `);
}

/**
 * Next migration step for such a service: retains reported uses for a while, so that billing can reconcile the meter
 * with them (`createUseLog`).
 */
export async function addReportedUseRetention(db: Knex): Promise<void> {
  await db.raw(`
    alter table use_ends add column told_at timestamptz;
    comment on column use_ends.told_at is 'When billing took or refused it; null as long as it waits.';
    drop index use_ends_waiting;
    create index use_ends_waiting on use_ends (written) where refused is null and told_at is null;
    create index use_ends_told on use_ends (told_at) where told_at is not null;
    create table use_ends_kept (since timestamptz not null);
    comment on table use_ends_kept is 'Since when uses that were told are kept.';
    insert into use_ends_kept (since) values (now());
  `);
}

export async function removeReportedUseRetention(db: Knex): Promise<void> {
  await db.raw(`
    drop table use_ends_kept;
    delete from use_ends where told_at is not null and refused is null;
    alter table use_ends drop column told_at;
    create index use_ends_waiting on use_ends (written) where refused is null;
  `);
}

/** Meter without billing, which counts nothing. */
export const noopUsageMeter: UsageMeter = {
  reserve: () => Promise.resolve({ kind: 'unknown' }),
  release: () => Promise.resolve(),
  end: () => Promise.resolve(),
  deliver: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  sweep: { name: 'uses', everyMs: 600_000, run: () => Promise.resolve('nothing') },
};

interface EndRow {
  feature: string;
  id: string;
  user_id: string;
  amount: string | null;
  used_at: Date;
}

/** Registers a metric of refused uses, because they wait for an operator and must be noticed. */
function countRefused(db: Knex, metrics: Registry): void {
  const refused = sampleOnScrape(async () => {
    return (await db('use_ends').whereNotNull('refused').groupBy('refused').select('refused').count('* as count')) as {
      refused: string;
      count: string;
    }[];
  });
  new Gauge({
    name: 'nolo_uses_refused',
    help: 'Plan-limited uses that billing refused, by reason.',
    labelNames: ['reason'],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const { refused: reason, count } of (await refused()) ?? []) this.set({ reason }, Number(count));
    },
  });
}

async function commitUse(billing: UsageMeterClient, row: EndRow, amount: number): Promise<void> {
  const use = { userId: row.user_id, feature: row.feature, reservationId: row.id };
  try {
    await billing.commitUsage({ ...use, amount }, { timeoutMs });
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'not_found' || amount === 0) throw error;
    // The use happened while billing was unavailable.
    await billing.reserveUsage({ ...use, amount, at: row.used_at }, { timeoutMs });
    await billing.commitUsage({ ...use, amount }, { timeoutMs });
  }
}

async function releaseUse(billing: UsageMeterClient, row: EndRow): Promise<void> {
  try {
    const use = { userId: row.user_id, feature: row.feature, reservationId: row.id };
    // The service decided that the use will not happen, so billing also reverts what it has already counted.
    await billing.releaseUsage({ ...use, committed: true }, { timeoutMs });
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'not_found') throw error;
  }
}

/** Returns true if any use waits, may be retried, or has passed its retention. */
async function isAnyDue(db: Knex): Promise<boolean> {
  const [days, hours] = [reportedUsesKeptDays, refusedForHours];
  const kept = `case when refused is null then make_interval(days => ?) else make_interval(hours => ?) end`;
  const row = await db<EndRow>('use_ends')
    .whereRaw(`((refused is null and told_at is null) or told_at < now() - ${kept})`, [days, hours])
    .first('id');
  return row !== undefined;
}

/**
 * Retries refused uses, because the cause at billing may have been fixed. Billing is reconciled with the uses stored
 * here.
 */
async function retryRefused(db: Knex): Promise<void> {
  await db('use_ends')
    .whereNotNull('refused')
    .whereRaw('told_at < now() - make_interval(hours => ?)', [refusedForHours])
    .update({ refused: null, told_at: null });
}

async function forgetOld(db: Knex): Promise<void> {
  await db.raw(
    `delete from use_ends where (feature, id) in (
      select feature, id from use_ends where refused is null and told_at < now() - make_interval(days => ?) limit ?)`,
    [reportedUsesKeptDays, forgottenAtOnce],
  );
}

export function createUsageMeter(options: {
  db: Knex;
  billing: UsageMeterClient;
  log: Log;
  metrics?: Registry;
  /** Database for gauges. Default: `db`. */
  scrapeDb?: Knex | undefined;
}): UsageMeter {
  const { db, billing, log } = options;
  if (options.metrics) countRefused(options.scrapeDb ?? db, options.metrics);

  /**
   * Delivers one waiting use. Returns false without one. The row stays locked, so that the last outcome is delivered
   * last.
   */
  const deliverOne = () =>
    inTransaction(db, async (trx): Promise<boolean> => {
      const row = await trx<EndRow>('use_ends')
        .whereNull('refused')
        .whereNull('told_at')
        .orderBy('written')
        .forUpdate()
        .skipLocked()
        .first();
      if (!row) return false;
      const key = { feature: row.feature, id: row.id };
      try {
        await (row.amount === null ? releaseUse(billing, row) : commitUse(billing, row, Number(row.amount)));
      } catch (error) {
        if (!isAppError(error) || error.kind === 'unavailable') throw error;
        log.error({ err: error, ...key }, 'billing refused a use');
        await trx('use_ends').where(key).update({ refused: error.code, told_at: trx.fn.now() });
        return true;
      }
      // Released uses are not needed for reconciliation.
      if (row.amount === null) await trx('use_ends').where(key).delete();
      else await trx('use_ends').where(key).update({ told_at: trx.fn.now() });
      return true;
    });

  const deliverAll = async (): Promise<void> => {
    try {
      while (await deliverOne());
    } catch (error) {
      log.warn({ err: error }, 'reporting uses to billing failed; retrying');
    }
  };
  let delivering: Promise<void> = Promise.resolve();
  let isWaiting = false;
  /** Runs deliveries one after the other. A call while another one waits to begin shares it. */
  const deliver = (): Promise<void> => {
    if (isWaiting || isStopped) return delivering;
    isWaiting = true;
    delivering = delivering.then(() => {
      isWaiting = false;
      return deliverAll();
    });
    return delivering;
  };
  let isStopped = false;

  return {
    async reserve({ userId, feature, id, amount, at }) {
      try {
        await billing.reserveUsage({ userId, feature, amount, reservationId: id, at }, { timeoutMs });
        return { kind: 'reserved' };
      } catch (error) {
        if (!isAppError(error)) throw error;
        if (error.kind === 'plan_limited') {
          const { limit, used } = error.details ?? {};
          return { kind: 'full', limit: Number(limit ?? 0), used: Number(used ?? 0) };
        }
        log.warn({ err: error, feature }, 'billing not reachable; using the local count');
        return { kind: 'unknown' };
      }
    },
    async release({ userId, feature, id }) {
      try {
        await billing.releaseUsage({ userId, feature, reservationId: id, committed: false }, { timeoutMs });
      } catch (error) {
        log.debug({ err: error, feature }, 'releasing a reservation in billing failed');
      }
    },
    async end(trx, { feature, id, userId, amount, at }) {
      const values = { user_id: userId, amount: amount === 'released' ? null : amount, used_at: at };
      await trx('use_ends')
        .insert({ feature, id, ...values })
        .onConflict(['feature', 'id'])
        .merge({ ...values, refused: null, told_at: null, written: trx.raw(`nextval('use_ends_order')`) });
    },
    deliver,
    stop() {
      isStopped = true;
      return delivering;
    },
    sweep: {
      name: 'uses',
      everyMs: sweepEveryMs,
      quietMs,
      async run() {
        if (!(await isAnyDue(db))) return 'nothing';
        await retryRefused(db);
        await deliver();
        await forgetOld(db);
      },
    },
  };
}
