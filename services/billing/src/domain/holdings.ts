import type { UserId } from '@nolo/kit/ids';
import type { MonthlyFeature } from './meters.ts';

/** A use as the service says that counted it. */
export interface HeldUse {
  readonly id: string;
  readonly userId: UserId;
  /** Undefined where it was given back. */
  readonly amount: number | undefined;
  readonly usedAt: Date;
  /** Whether the service has told it to us; of others nothing can be wrong yet. */
  readonly isTold: boolean;
}

export interface HeldLevel {
  readonly userId: UserId;
  readonly amount: number;
}

export interface HeldPage<One> {
  readonly rows: readonly One[];
  /** Since when it says all, or when it was so. */
  readonly at: Date;
  /** Empty on the last page. */
  readonly next: string;
}

/** What services hold of what plans limit; undefined where the service is not there. */
export interface Holdings {
  readonly uses: Readonly<Partial<Record<MonthlyFeature, UsesHeld>>>;
  readonly levels: LevelsHeld | undefined;
}

export interface UsesHeld {
  toldSince(since: Date, after: string, limit: number): Promise<HeldPage<HeldUse>>;
  /** Also those that were not told yet. */
  named(ids: readonly string[]): Promise<HeldPage<HeldUse>>;
}

export interface LevelsHeld {
  all(after: string, limit: number): Promise<HeldPage<HeldLevel>>;
  /** Of these, who may keep nothing. */
  of(userIds: readonly string[]): Promise<HeldPage<HeldLevel>>;
}

/** What a meter has of a use. */
export interface CountedUse {
  readonly id: string;
  readonly userId: UserId;
  readonly amount: number;
  readonly state: 'reserved' | 'committed' | 'released';
  readonly reservedAt: Date;
}

export type AdjustReason = 'not_counted' | 'counted_otherwise' | 'not_used' | 'level_differs' | 'sum_differs';

/** Whether the meter says of a use what its service says; nothing can be said of one that is on its way. */
export function isCounted(held: HeldUse, counted: CountedUse | undefined): boolean {
  if (!held.isTold || held.amount === undefined) return true;
  return counted?.state === 'committed' && counted.amount === held.amount && counted.userId === held.userId;
}
