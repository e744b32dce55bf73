import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { Bus } from '@nolo/kit/bus';
import type { Clock } from '@nolo/kit/clock';
import type { ConsumeEventsOptions, ServiceEvent } from '@nolo/kit/events';
import { createLastKnownValues, type LastKnownOptions } from '@nolo/kit/lastKnown';
import type { Log } from '@nolo/kit/log';
import type { Redis } from '@nolo/kit/redis';

/** Entitlements of an account, according to billing. `null` means unlimited. */
export interface Entitlements<Feature extends string> {
  readonly plan: string;
  /** Buyer of the seat that the plan comes from; null if the plan is the account's own. */
  readonly teamOwnerId: string | null;
  readonly limits: Readonly<Record<Feature, number | null>>;
  /** Calendar month in the account's time zone at the time of the answer, as 2026-11; null if unknown. */
  readonly month: string | null;
  /** End of that month, and expiry of the entitlements, in milliseconds since the epoch. */
  readonly monthEndsAt: number | null;
  readonly validUntil: number | null;
}

/** Answer of EntitlementsService. */
export interface EntitlementsReply {
  plan: string;
  limits: { feature: string; limit?: number | undefined }[];
  validUntil?: Date | undefined;
  month: string;
  monthEndsAt?: Date | undefined;
  teamOwnerId?: string | undefined;
}

export interface EntitlementsClient {
  getEntitlements(request: { userId: string }, options?: { timeoutMs?: number }): Promise<EntitlementsReply>;
}

/** Subset of a service context that this module needs. */
export interface EntitlementsContext {
  readonly bus: Bus;
  readonly redis: Redis | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Registry;
  onStop(component: string, stop: () => void): void;
  consume(source: string, owner: ConsumeEventsOptions['owner'], handlers: ConsumeEventsOptions['handlers']): void;
}

export interface EntitlementsOptions<Feature extends string> {
  /** Service that sells plans; undefined if there is no such service, and then every account has `everything`. */
  billing: { readonly entitlements: EntitlementsClient; readonly events: ConsumeEventsOptions['owner'] } | undefined;
  /** Limits to read from the answers, and their values without billing. */
  everything: Readonly<Record<Feature, number | null>>;
  /** Entitlements of an unknown account while billing is unavailable. */
  free: Readonly<Record<NoInfer<Feature>, number | null>>;
  /** Called once for all replicas after an account's plan changes and the new one can be queried. */
  onChanged?: (userId: string) => Promise<void>;
  /** Further handlers for billing's event log, because a service reads a log only once. */
  otherHandlers?: ConsumeEventsOptions['handlers'];
  freshMs?: LastKnownOptions<unknown>['freshMs'];
}

/** Subject in billing's event log; the payload names the account. */
export const entitlementsChangedSubject = 'event.billing.entitlements_changed';
/** Broadcast from the replica that read the event to all other replicas of every service. */
const changedSubject = 'entitlements.changed';
const payload = z.object({ userId: z.uuid() });

export interface EntitlementsLookup<Feature extends string> {
  (userId: string): Promise<Entitlements<Feature>>;
  /** Returns undefined if unknown: actions that send data or delete it permanently wait for an answer. */
  known(userId: string): Promise<Entitlements<Feature> | undefined>;
}

/**
 * Creates the lookup of entitlements, queried from billing and cached in this process: a check takes microseconds. A
 * change event invalidates an account's entry immediately. Without one, the entry is queried again after some minutes.
 * While billing is unavailable, the last answer is used for up to a day.
 */
export function createEntitlementsLookup<Feature extends string>(
  context: EntitlementsContext,
  options: EntitlementsOptions<Feature>,
): EntitlementsLookup<Feature> {
  const { billing, everything, free, onChanged, otherHandlers, freshMs } = options;
  const fixed = (plan: string, limits: Readonly<Record<Feature, number | null>>): Entitlements<Feature> => ({
    plan,
    teamOwnerId: null,
    limits,
    month: null,
    monthEndsAt: null,
    validUntil: null,
  });
  const all = fixed('business', everything);
  if (!billing) return Object.assign(() => Promise.resolve(all), { known: () => Promise.resolve(all) });

  const { bus, redis, clock, log, metrics } = context;
  const known = createLastKnownValues<Entitlements<Feature>>({
    name: 'entitlements',
    load: async (userId, call) => read(await billing.entitlements.getEntitlements({ userId }, call), all),
    endsAt: ({ validUntil, monthEndsAt }) => earlier(validUntil, monthEndsAt),
    clock,
    log,
    metrics,
    copies: redis && {
      read: (key) => redis.get(key),
      write: (key, text, forMs) => redis.set(key, text, 'PX', forMs),
    },
    ...(freshMs === undefined ? {} : { freshMs }),
  });

  context.onStop(
    'entitlements',
    bus.subscribe(changedSubject, (data) => {
      const { data: change } = payload.safeParse(data);
      if (change) known.outdate(change.userId);
    }),
  );
  // Events published during the outage are lost.
  const release = bus.onReconnect(() => known.outdateAll());
  context.onStop('entitlements', release);
  context.consume('billing', billing.events, {
    ...otherHandlers,
    [entitlementsChangedSubject]: async (event: ServiceEvent) => {
      const { userId } = payload.parse(event.data);
      known.outdate(userId);
      bus.publish(changedSubject, { userId });
      await onChanged?.(userId);
    },
  });

  const nobodyKnows = fixed('free', free);
  return Object.assign(async (userId: string) => (await known.of(userId)) ?? nobodyKnows, {
    known: (userId: string) => known.of(userId),
  });
}

/** Reads billing's answer. A feature that billing does not name yet keeps the limit of `all`. */
function read<Feature extends string>(reply: EntitlementsReply, all: Entitlements<Feature>): Entitlements<Feature> {
  const { plan, teamOwnerId = null, limits, validUntil, month, monthEndsAt } = reply;
  const limitsByFeature = new Map(limits.map(({ feature, limit }) => [feature, limit ?? null]));
  const one = (feature: string) =>
    limitsByFeature.has(feature) ? (limitsByFeature.get(feature) ?? null) : all.limits[feature as Feature];
  return {
    plan,
    teamOwnerId,
    limits: Object.fromEntries(Object.keys(all.limits).map((feature) => [feature, one(feature)])) as Record<
      Feature,
      number | null
    >,
    month: month === '' ? null : month,
    monthEndsAt: monthEndsAt?.getTime() ?? null,
    validUntil: validUntil?.getTime() ?? null,
  };
}

function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Returns the calendar month in which usage counts now: the account's, or that of UTC if unknown. */
export function usageMonthOf(
  { month, monthEndsAt }: Pick<Entitlements<never>, 'month' | 'monthEndsAt'>,
  now: Date,
): string {
  if (month === null) return now.toISOString().slice(0, 7);
  if (monthEndsAt === null || now.getTime() < monthEndsAt) return month;
  // Billing has been unavailable since before the end of the month. The answer is at most a day old, so the next month
  // applies.
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}
