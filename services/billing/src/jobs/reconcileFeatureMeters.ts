import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@nolo/kit/clock';
import type { Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import {
  matchesMeter,
  type MeterAdjustmentReason,
  type ReportedLevel,
  type MeterSources,
  type LevelSource,
} from '../domain/meterSources.ts';
import { isMonthly, type MonthlyFeature } from '../domain/meters.ts';
import type { MeterAdjustmentStore } from '../domain/ports.ts';
import type { BillingMetrics } from '../metrics.ts';

const dayMs = 86_400_000;
/** Look-back period. Services store reported uses for longer. */
const lookBackMs = 40 * dayMs;
/** Age at which a reservation is abandoned: the service died before using it. */
const underWayMs = dayMs;
/** Margin for a rolling update to services that store their reports; older ones do not. */
const replacedMs = 3_600_000;
const page = 500;
const storage = 'storageBytes';

interface Dependencies {
  readonly holdings: MeterSources;
  readonly adjustments: MeterAdjustmentStore;
  readonly metrics: Pick<BillingMetrics, 'adjustments'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Time that a level may take to be reported, in milliseconds. */
  readonly levelWaitMs: number;
}

/**
 * Compares the meters of one feature with its service's data and fixes differences. Data in transit is not a
 * difference: a use is wrong only if the service has reported it, and a level only if neither side changed between two
 * reads.
 */
export function reconcileFeatureMeters(dependencies: Dependencies) {
  const { holdings, log } = dependencies;
  return async (job: Pick<Job<{ feature: string }>, 'payload' | 'signal'>): Promise<void> => {
    const { feature } = job.payload;
    const found = new Map<MeterAdjustmentReason, number>();
    const adjusted = (reason: MeterAdjustmentReason | undefined) => {
      if (reason === undefined) return;
      found.set(reason, (found.get(reason) ?? 0) + 1);
      dependencies.metrics.adjustments.inc({ feature, reason });
    };
    if (isMonthly(feature)) await holdUses(dependencies, feature, adjusted, job.signal);
    else if (holdings.levels) await holdLevels(dependencies, holdings.levels, adjusted, job.signal);
    if (found.size > 0) log.warn({ feature, ...Object.fromEntries(found) }, 'meters corrected to match the services');
  };
}

type Adjusted = (reason: MeterAdjustmentReason | undefined) => void;

async function holdUses(
  { holdings, adjustments, clock }: Dependencies,
  feature: MonthlyFeature,
  adjusted: Adjusted,
  signal: AbortSignal,
): Promise<void> {
  const source = holdings.uses[feature];
  if (!source) return;
  const now = clock.now();
  const since = new Date(now.getTime() - lookBackMs);
  let keptSince = now;
  let after = '';
  do {
    signal.throwIfAborted();
    const { rows, next, at } = await source.reportedSince(since, after, page);
    keptSince = at;
    const counted = await adjustments.counted(
      feature,
      rows.map(({ id }) => id),
    );
    const wrong = rows.filter((use) => !matchesMeter(use, counted.get(use.id)));
    // Uses may have changed since they were listed; those changes will be reported.
    const still = wrong.length === 0 ? [] : (await source.named(wrong.map(({ id }) => id))).rows;
    for (const use of still) {
      if (use.isReported && use.amount !== undefined) adjusted(await adjustments.countAs(feature, use, now));
    }
    after = next;
  } while (after !== '');

  const from = new Date(Math.max(since.getTime(), keptSince.getTime() + replacedMs));
  const reservedBefore = new Date(now.getTime() - underWayMs);
  for (;;) {
    signal.throwIfAborted();
    const counted = await adjustments.countedSince(feature, { since: from, reservedBefore, after, limit: page });
    if (counted.length === 0) return;
    const { rows } = await source.named(counted.map(({ id }) => id));
    const known = new Set(rows.map(({ id }) => id));
    for (const use of counted) if (!known.has(use.id)) adjusted(await adjustments.takeBack(feature, use, now));
    after = counted.at(-1)?.id ?? '';
  }
}

async function holdLevels(
  dependencies: Dependencies,
  source: LevelSource,
  adjusted: Adjusted,
  signal: AbortSignal,
): Promise<void> {
  const { adjustments } = dependencies;
  let after = '';
  do {
    const { rows, next } = await source.all(after, page);
    await mendLevels(dependencies, source, rows, adjusted, signal);
    after = next;
  } while (after !== '');
  for (;;) {
    const known = await adjustments.levelsAfter(storage, after, page);
    if (known.length === 0) return;
    const { rows } = await source.of(known.map(({ userId }) => userId));
    await mendLevels(dependencies, source, rows, adjusted, signal);
    after = known.at(-1)?.userId ?? '';
  }
}

/** Reads twice, because a service reports a new level a moment later. */
async function mendLevels(
  { adjustments, levelWaitMs }: Dependencies,
  source: LevelSource,
  levels: readonly ReportedLevel[],
  adjusted: Adjusted,
  signal: AbortSignal,
): Promise<void> {
  const known = await adjustments.levelsOf(
    storage,
    levels.map(({ userId }) => userId),
  );
  const wrong = levels.filter(({ userId, amount }) => (known.get(userId) ?? 0) !== amount);
  if (wrong.length === 0) return signal.throwIfAborted();
  await pause(levelWaitMs, undefined, { signal });
  const { rows, at } = await source.of(wrong.map(({ userId }) => userId));
  const before = new Map(wrong.map(({ userId, amount }) => [userId, amount]));
  for (const level of rows) {
    if (before.get(level.userId) !== level.amount) continue;
    adjusted(await adjustments.setLevel(storage, level, known.get(level.userId) ?? 0, at));
  }
}
