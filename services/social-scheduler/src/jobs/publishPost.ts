import type { Clock } from '@nolo/kit/clock';
import { HoldJobError, type Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import { Semaphore } from '@nolo/kit/semaphore';
import { findBarredHost } from '@nolo/rules';
import type {
  ConnectionStore,
  PostDelivery,
  DeliveryStore,
  PostMediaSource,
  DeliveryOutcome,
  StoredConnection,
} from '../domain/ports.ts';
import { maxConcurrentMediaPosts, publishQueue } from '../domain/publishQueue.ts';
import { createPublishRetryError } from '../errors.ts';
import { countOutcome, type SocialMetrics } from '../metrics.ts';
import { renewTokens } from './renewTokens.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { PublishAttempt, Platform, PlatformPost } from '../domain/platform.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';

/** Delay before checking, because platforms may show a post some time after accepting it. */
const defaultLookUpDelayMs = 60_000;
/** Time before expiry at which tokens are renewed. */
const renewAheadMs = 5 * 60_000;
/** Delay before checking held posts again. Operators rarely change settings, but an outage may end any moment. */
const holdMs = { switched_off: 30_000, settings_unknown: 2_000 };
/** Maximum attempts. Waits double from a second to an hour, or follow the platform's request. */
const maxPublishAttempts = 12;

export interface PublishDependencies {
  platforms: Platforms;
  connections: ConnectionStore;
  deliveries: DeliveryStore<Parameters<Job<unknown>['finish']>[0]>;
  media: PostMediaSource;
  metrics: SocialMetrics;
  clock: Clock;
  log: Log;
  /**
   * Returns why nothing is published now: operators switched it off, or their settings are unknown. Held posts are
   * published afterwards.
   */
  holdReason: () => keyof typeof holdMs | undefined;
  /** Returns the currently barred hosts. */
  barredHosts: () => ReadonlySet<string>;
  /** Delay after a request without a response before checking it. Default: one minute. Shorter in tests. */
  lookUpDelayMs?: number;
}

/**
 * Publishes a post to one account. The row is marked before the irrevocable request. If that request got no response,
 * the platform is checked for the post before anything is sent again (decision 26).
 */
export function publishPost(dependencies: PublishDependencies) {
  const { deliveries, metrics, clock } = dependencies;
  const { concurrency } = publishQueue;
  const places = new Semaphore({
    atOnce: maxConcurrentMediaPosts,
    maxWaiting: concurrency,
    busy: () => createPublishRetryError('busy', 1_000),
  });
  return async (job: Job<{ deliveryId: string }>): Promise<void> => {
    const onHoldReason = dependencies.holdReason();
    if (onHoldReason) throw new HoldJobError(onHoldReason, holdMs[onHoldReason]);
    const delivery = await deliveries.claim(job.payload.deliveryId);
    if (!delivery) return;
    const settle = async (outcome: DeliveryOutcome) => {
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
async function makeReady(dependencies: PublishDependencies, delivery: PostDelivery): Promise<Ready | DeliveryOutcome> {
  const { platforms, connections, barredHosts, clock } = dependencies;
  // Posts that may already be public are checked regardless.
  if (delivery.committedForMs === null && findBarredHost(barredHosts(), delivery.text) !== undefined) {
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
  delivery: PostDelivery,
  { platform, connection }: Ready,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { connections, deliveries } = dependencies;
  let committed = delivery.committedForMs !== null;
  const attempt: PublishAttempt = {
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
  const run = async (account: StoredConnection): Promise<DeliveryOutcome> => {
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
    const mayBeDone =
      error instanceof PlatformError ? error.mayBeDone || (committed && isLookUpError(error)) : committed;
    return await afterFailure(dependencies, delivery, connection, error, mayBeDone);
  }
}

const isExpired = (error: unknown): boolean =>
  error instanceof PlatformError && error.reason === 'authentication_expired' && !error.mayBeDone;

/** Marks errors of checking an earlier attempt, whose outcome is therefore still unknown. */
const lookUpErrors = new WeakSet<PlatformError>();
const isLookUpError = (error: PlatformError): boolean => lookUpErrors.has(error);

/** Determines the outcome of an attempt without a response. Undefined if the post is certainly not public. */
async function lookUp(
  { clock, lookUpDelayMs = defaultLookUpDelayMs }: PublishDependencies,
  { committedForMs }: PostDelivery,
  platform: Platform,
  connection: StoredConnection,
  post: PlatformPost,
  attempt: PublishAttempt,
): Promise<DeliveryOutcome | undefined> {
  const leftMs = lookUpDelayMs - (committedForMs ?? lookUpDelayMs);
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
  lookUpErrors.add(error);
  return error;
}

async function openPost({ media }: PublishDependencies, delivery: PostDelivery): Promise<PlatformPost> {
  const opened = await Promise.all(delivery.media.map((reference) => media.open(delivery.userId, reference)));
  return { text: delivery.text, media: opened };
}

const ended = ({ committedForMs }: PostDelivery): 'failed' | 'needs_review' =>
  committedForMs === null ? 'failed' : 'needs_review';

/**
 * Returns final outcomes, and throws for those that may still succeed, so that the job is retried later.
 *
 * @throws AppError not_yet, with the time to wait
 */
async function afterFailure(
  { connections, deliveries, clock, log }: PublishDependencies,
  delivery: PostDelivery,
  connection: StoredConnection,
  error: unknown,
  mayBeDone: boolean,
): Promise<DeliveryOutcome> {
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
  const over = delivery.attempts >= maxPublishAttempts;
  if (over || (next !== 'retry' && !mayBeDone)) return { state: mayBeDone ? 'needs_review' : 'failed', reason };
  if (next !== 'retry') return { state: 'needs_review', reason };
  // Default delay if the platform names none; it doubles with each attempt.
  const backoffEndsAt = clock.now().getTime() + Math.min(1_000 * 2 ** delivery.attempts, 3_600_000);
  const retryAt = new Date(Math.max(error.retryAt?.getTime() ?? 0, backoffEndsAt));
  await deliveries.postpone(delivery, { reason, retryAt, committed: mayBeDone });
  throw createPublishRetryError(reason, retryAt.getTime() - clock.now().getTime());
}
