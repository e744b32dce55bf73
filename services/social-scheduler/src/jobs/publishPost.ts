import type { Clock } from '@nolo/kit/clock';
import { HoldJob, type Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import { Semaphore } from '@nolo/kit/semaphore';
import { barredHostIn } from '@nolo/rules';
import type {
  ConnectionStore,
  Delivery,
  DeliveryStore,
  MediaSource,
  Outcome,
  StoredConnection,
} from '../domain/ports.ts';
import { mediaAtOnce, publishing } from '../domain/publishing.ts';
import { notYet } from '../errors.ts';
import { countOutcome, type Metrics } from '../metrics.ts';
import { renewTokens } from './renewTokens.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { Attempt, Platform, Post } from '../domain/platform.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';

/** Delay before checking, because platforms may show a post some time after accepting it. */
const lookAfterMs = 60_000;
/** Time before expiry at which tokens are renewed. */
const renewAheadMs = 5 * 60_000;
/** Delay before checking held posts again. Operators rarely change settings, but an outage may end any moment. */
const heldMs = { switched_off: 30_000, settings_unknown: 2_000 };
/** Maximum attempts. Waits double from a second to an hour, or follow the platform's request. */
const mostAttempts = 12;

export interface PublishDependencies {
  platforms: Platforms;
  connections: ConnectionStore;
  deliveries: DeliveryStore<Parameters<Job<unknown>['finish']>[0]>;
  media: MediaSource;
  metrics: Metrics;
  clock: Clock;
  log: Log;
  /**
   * Returns why nothing is published now: operators switched it off, or their settings are unknown. Held posts are
   * published afterwards.
   */
  heldBy: () => keyof typeof heldMs | undefined;
  /** Returns the currently barred hosts. */
  barredHosts: () => ReadonlySet<string>;
  /** Delay after a request without a response before checking it. Default: one minute. Shorter in tests. */
  lookUpAfterMs?: number;
}

/**
 * Publishes a post to one account. The row is marked before the irrevocable request. If that request got no response,
 * the platform is checked for the post before anything is sent again (decision 26).
 */
export function publishPost(dependencies: PublishDependencies) {
  const { deliveries, metrics, clock } = dependencies;
  const { concurrency } = publishing;
  const places = new Semaphore({ atOnce: mediaAtOnce, mostWaiting: concurrency, busy: () => notYet('busy', 1_000) });
  return async (job: Job<{ deliveryId: string }>): Promise<void> => {
    const held = dependencies.heldBy();
    if (held) throw new HoldJob(held, heldMs[held]);
    const delivery = await deliveries.claim(job.payload.deliveryId);
    if (!delivery) return;
    const settle = async (outcome: Outcome) => {
      await deliveries.settle(delivery, outcome, (trx) => job.finish(trx));
      countOutcome(metrics, delivery, outcome, clock.now());
    };
    const ready = await makeReady(dependencies, delivery);
    if ('state' in ready) return await settle(ready);
    const attempt = () => attemptOnce(dependencies, delivery, ready, job.signal);
    const turn = { key: delivery.userId, signal: job.signal };
    await settle(delivery.media.length === 0 ? await attempt() : await places.take(attempt, turn));
  };
}

interface Ready {
  platform: Platform;
  connection: StoredConnection;
}

/** Returns the account with tokens that last a while, or the outcome if there is no usable account. */
async function makeReady(dependencies: PublishDependencies, delivery: Delivery): Promise<Ready | Outcome> {
  const { platforms, connections, barredHosts, clock } = dependencies;
  // Posts that may already be public are checked regardless.
  if (delivery.committedForMs === null && barredHostIn(barredHosts(), delivery.text) !== undefined) {
    return { state: 'failed', reason: 'link_barred' };
  }
  const platform = platforms.get(delivery.platform);
  const connection = delivery.connectionId === null ? undefined : await connections.get(delivery.connectionId);
  if (!platform || !connection) {
    return { state: delivery.committedForMs === null ? 'failed' : 'needs_review', reason: 'disconnected' };
  }
  const { expiresAt } = connection.tokens;
  if (connection.state === 'expired') return { state: ended(delivery), reason: 'authentication_expired' };
  if (!expiresAt || expiresAt.getTime() - clock.now().getTime() > renewAheadMs) return { platform, connection };
  try {
    return { platform, connection: await renewTokens(connections, platform, connection) };
  } catch (error) {
    return await afterFailure(dependencies, delivery, connection, error, delivery.committedForMs !== null);
  }
}

async function attemptOnce(
  dependencies: PublishDependencies,
  delivery: Delivery,
  { platform, connection }: Ready,
  signal: AbortSignal,
): Promise<Outcome> {
  const { connections, deliveries } = dependencies;
  let committed = delivery.committedForMs !== null;
  const attempt: Attempt = {
    key: delivery.id,
    since: delivery.since,
    kept: delivery.kept ?? undefined,
    keep: (what) => deliveries.keep(delivery, what),
    async committing() {
      await deliveries.commit(delivery);
      committed = true;
    },
    signal,
  };
  const run = async (account: StoredConnection): Promise<Outcome> => {
    const post = await openPost(dependencies, delivery);
    if (delivery.committedForMs !== null) {
      const found = await lookUp(dependencies, delivery, platform, account, post, attempt);
      if (found) return found;
      committed = false;
    }
    return { state: 'published', post: await platform.publish(account, post, attempt) };
  };
  try {
    return await run(connection).catch(async (error: unknown) => {
      // The token was revoked early, as after a password change, but renewal may still work.
      if (!isExpired(error) || !platform.refresh) throw error;
      return await run(await renewTokens(connections, platform, connection));
    });
  } catch (error) {
    const mayBeDone = error instanceof PlatformError ? error.mayBeDone || (committed && isLookUp(error)) : committed;
    return await afterFailure(dependencies, delivery, connection, error, mayBeDone);
  }
}

const isExpired = (error: unknown): boolean =>
  error instanceof PlatformError && error.reason === 'authentication_expired' && !error.mayBeDone;

/** Marks errors of checking an earlier attempt, whose outcome is therefore still unknown. */
const lookUps = new WeakSet<PlatformError>();
const isLookUp = (error: PlatformError): boolean => lookUps.has(error);

/** Determines the outcome of an attempt without a response. Undefined if the post is certainly not public. */
async function lookUp(
  { clock, lookUpAfterMs = lookAfterMs }: PublishDependencies,
  { committedForMs }: Delivery,
  platform: Platform,
  connection: StoredConnection,
  post: Post,
  attempt: Attempt,
): Promise<Outcome | undefined> {
  const leftMs = lookUpAfterMs - (committedForMs ?? lookUpAfterMs);
  if (leftMs > 0) {
    const retryAt = new Date(clock.now().getTime() + leftMs);
    throw remember(new PlatformError('unreachable', { retryAt, mayBeDone: true }));
  }
  try {
    const found = await platform.find(connection, post, attempt);
    if (found.state === 'published') return { state: 'published', post: found.post };
    return found.state === 'unknown' ? { state: 'needs_review', reason: 'unknown' } : undefined;
  } catch (error) {
    throw error instanceof PlatformError ? remember(error) : error;
  }
}

function remember(error: PlatformError): PlatformError {
  lookUps.add(error);
  return error;
}

async function openPost({ media }: PublishDependencies, delivery: Delivery): Promise<Post> {
  const opened = await Promise.all(delivery.media.map((reference) => media.open(delivery.userId, reference)));
  return { text: delivery.text, media: opened };
}

const ended = ({ committedForMs }: Delivery): 'failed' | 'needs_review' =>
  committedForMs === null ? 'failed' : 'needs_review';

/**
 * Returns final outcomes, and throws for those that may still succeed, so that the job is retried later.
 *
 * @throws AppError not_yet, with the time to wait
 */
async function afterFailure(
  { connections, deliveries, clock, log }: PublishDependencies,
  delivery: Delivery,
  connection: StoredConnection,
  error: unknown,
  mayBeDone: boolean,
): Promise<Outcome> {
  if (!(error instanceof PlatformError)) {
    // The error is ours or a shutdown: nothing is given up, and the row records whether the post was sent.
    throw error;
  }
  const { reason, next, status, code } = error;
  const { id: deliveryId, platform } = delivery;
  log.info({ deliveryId, platform, reason, status, code, mayBeDone }, 'publishing a post on a platform failed');
  if (next === 'reconnect' && reason === 'authentication_expired') await connections.expire(connection.id);
  // If a second attempt is a duplicate, the first one was published although the check did not find it.
  if (reason === 'duplicate' && delivery.committedForMs !== null) return { state: 'needs_review', reason };
  const over = delivery.attempts >= mostAttempts;
  if (over || (next !== 'retry' && !mayBeDone)) return { state: mayBeDone ? 'needs_review' : 'failed', reason };
  if (next !== 'retry') return { state: 'needs_review', reason };
  // Default delay if the platform names none; it doubles with each attempt.
  const usual = clock.now().getTime() + Math.min(1_000 * 2 ** delivery.attempts, 3_600_000);
  const retryAt = new Date(Math.max(error.retryAt?.getTime() ?? 0, usual));
  await deliveries.postpone(delivery, { reason, retryAt, committed: mayBeDone });
  throw notYet(reason, retryAt.getTime() - clock.now().getTime());
}
