import type { UserId } from '@nolo/kit/ids';
import type { MonthlyFeature } from './meters.ts';

/** Use as recorded by the service that counted it. */
export interface ReportedUse {
  readonly id: string;
  readonly userId: UserId;
  /** Amount. Undefined if the use was returned. */
  readonly amount: number | undefined;
  readonly usedAt: Date;
  /** True if the service has reported it to us. Unreported uses cannot be wrong yet. */
  readonly isReported: boolean;
}

export interface ReportedLevel {
  readonly userId: UserId;
  readonly amount: number;
}

export interface ReportPage<One> {
  readonly rows: readonly One[];
  /** Time since which the data is complete, or time of the snapshot. */
  readonly at: Date;
  /** Cursor. Empty on the last page. */
  readonly next: string;
}

/** Usage held by services that plans limit. Undefined for an unavailable service. */
export interface MeterSources {
  readonly uses: Readonly<Partial<Record<MonthlyFeature, UseSource>>>;
  readonly levels: LevelSource | undefined;
}

export interface UseSource {
  reportedSince(since: Date, after: string, limit: number): Promise<ReportPage<ReportedUse>>;
  /** Returns uses by ID, including unreported ones. */
  named(ids: readonly string[]): Promise<ReportPage<ReportedUse>>;
}

export interface LevelSource {
  all(after: string, limit: number): Promise<ReportPage<ReportedLevel>>;
  /** Returns the levels of these accounts, including those that store nothing. */
  of(userIds: readonly string[]): Promise<ReportPage<ReportedLevel>>;
}

/** Use as recorded by a meter. */
export interface CountedUse {
  readonly id: string;
  readonly userId: UserId;
  readonly amount: number;
  readonly state: 'reserved' | 'committed' | 'released';
  readonly reservedAt: Date;
}

export type MeterAdjustmentReason = 'not_counted' | 'counted_otherwise' | 'not_used' | 'level_differs' | 'sum_differs';

/** Returns true if the meter agrees with the service about a use. Uses not yet reported always agree. */
export function matchesMeter(reportedUse: ReportedUse, counted: CountedUse | undefined): boolean {
  if (!reportedUse.isReported || reportedUse.amount === undefined) return true;
  return (
    counted?.state === 'committed' && counted.amount === reportedUse.amount && counted.userId === reportedUse.userId
  );
}
