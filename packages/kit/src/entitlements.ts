import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { Bus } from './bus.ts';
import type { Clock } from './clock.ts';
import type { ConsumeEventsOptions } from './eventConsumer.ts';
import type { ServiceEvent } from './eventTables.ts';
import { createLastKnown, type LastKnownOptions } from './lastKnown.ts';
import type { Log } from './log.ts';
import type { Redis } from './redis.ts';

/** What an account may do, as whoever sells plans says. `null` is without a limit. */
export interface Entitlements<Feature extends string> {
  readonly plan: string;
  /** Who bought the seat that the plan comes from; null where it is the account's own. */
  readonly teamOwnerId: string | null;
  readonly limits: Readonly<Record<Feature, number | null>>;
  /** The calendar month of the account's time zone in which it was said, as 2026-11; null where that is not known. */
  readonly month: string | null;
  /** When that month ends, and when this ends by itself, in milliseconds since the epoch. */
  readonly monthEndsAt: number | null;
  readonly validUntil: number | null;
}

/** As EntitlementsService answers. */
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

/** What a service stands on, as far as it matters here. */
export interface EntitlementsGround {
  readonly bus: Bus;
  readonly redis: Redis | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Registry;
  onStop(part: string, stop: () => void): void;
  consume(source: string, owner: ConsumeEventsOptions['owner'], handlers: ConsumeEventsOptions['handlers']): void;
}

export interface EntitlementsOptions<Feature extends string> {
  /** Whoever sells plans; undefined where nobody does, and then everybody has `everything`. */
  billing: { readonly entitlements: EntitlementsClient; readonly events: ConsumeEventsOptions['owner'] } | undefined;
  /** What is read of the answers. */
  everything: Readonly<Record<Feature, number | null>>;
  /** What somebody has of whom nothing is known while billing is away. */
  free: Readonly<Record<NoInfer<Feature>, number | null>>;
  /** Told once for all replicas when somebody's plan has become another, after it can be asked for. */
  onChanged?: (userId: string) => Promise<void>;
  /** What else is read of billing's log: a service reads it once. */
  alsoHeard?: ConsumeEventsOptions['handlers'];
  freshMs?: LastKnownOptions<unknown>['freshMs'];
}

/** In billing's log of events; its payload names the account. */
export const entitlementsChanged = 'event.billing.entitlements_changed';
/** From the replica that read the event to all others, of every service. */
const changedSubject = 'entitlements.changed';
const payload = z.object({ userId: z.uuid() });

export interface EntitlementsOf<Feature extends string> {
  (userId: string): Promise<Entitlements<Feature>>;
  /** Undefined where nobody can say: what goes out, or is given up for good, waits for an answer. */
  known(userId: string): Promise<Entitlements<Feature> | undefined>;
}

/**
 * What accounts may do, asked of billing and kept in this process: a check costs microseconds. A change empties what is
 * kept of that account at once; without word of one it is asked for again after some minutes, and while billing is away the
 * last answer holds for a day.
 */
export function createEntitlements<Feature extends string>(
  ground: EntitlementsGround,
  options: EntitlementsOptions<Feature>,
): EntitlementsOf<Feature> {
  const { billing, everything, free, onChanged, alsoHeard, freshMs } = options;
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

  const { bus, redis, clock, log, metrics } = ground;
  const known = createLastKnown<Entitlements<Feature>>({
    name: 'entitlements',
    ask: async (userId, call) => read(await billing.entitlements.getEntitlements({ userId }, call), all),
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

  ground.onStop(
    'entitlements',
    bus.subscribe(changedSubject, (data) => {
      const { data: told } = payload.safeParse(data);
      if (told) known.outdate(told.userId);
    }),
  );
  // What was told meanwhile has gone by.
  const release = bus.onReconnect(() => known.outdateAll());
  ground.onStop('entitlements', release);
  ground.consume('billing', billing.events, {
    ...alsoHeard,
    [entitlementsChanged]: async (event: ServiceEvent) => {
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

/** In billing's absence of a limit everything stands; a feature that it does not name yet is not limited. */
function read<Feature extends string>(reply: EntitlementsReply, all: Entitlements<Feature>): Entitlements<Feature> {
  const { plan, teamOwnerId = null, limits, validUntil, month, monthEndsAt } = reply;
  const said = new Map(limits.map(({ feature, limit }) => [feature, limit ?? null]));
  const one = (feature: string) => (said.has(feature) ? (said.get(feature) ?? null) : all.limits[feature as Feature]);
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

/** The calendar month in which something is counted now: the account's, or that of UTC where nothing is known of it. */
export function monthOf({ month, monthEndsAt }: Pick<Entitlements<never>, 'month' | 'monthEndsAt'>, now: Date): string {
  if (month === null) return now.toISOString().slice(0, 7);
  if (monthEndsAt === null || now.getTime() < monthEndsAt) return month;
  // Billing is away since before its end: the answer is no older than a day.
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}
