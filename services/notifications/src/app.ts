import { createEntitlements, type EntitlementsOptions } from '@nolo/kit/entitlements';
import type { UserId } from '@nolo/kit/ids';
import { createJobs } from '@nolo/kit/jobs';
import { createKeyRing } from '@nolo/kit/keyRing';
import { createPart } from '@nolo/kit/part';
import { accountGuard, operatorGuard } from '@nolo/kit/proof';
import { rpcService } from '@nolo/kit/rpc';
import { createService, type App, type Ground, type ServiceOptions } from '@nolo/kit/service';
import { EntitlementsServiceService } from '@nolo/proto/entitlements';
import { EventLogServiceService } from '@nolo/proto/events';
import { GroupServiceService } from '@nolo/proto/groups';
import { OwnerMailServiceService } from '@nolo/proto/ownerMail';
import { WebhookServiceService } from '@nolo/proto/webhooks';
import { OperatorServiceService } from '@nolo/proto/operators';
import { PartServiceService } from '@nolo/proto/part';
import { SecurityServiceService } from '@nolo/proto/security';
import { allowanceOf, everythingAllowed } from '@nolo/rules';
import { webhookKeys, type NotificationsConfig } from './config.ts';
import { failNotifications } from './errors.ts';
import { mailing, sending } from './domain/queues.ts';
import { hearBoth } from './hearBoth.ts';
import { accountClosed, onAccountClosed } from './events/onAccountClosed.ts';
import { onEntitlementsChanged } from './events/onEntitlementsChanged.ts';
import { onTidings } from './events/onTidings.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { sendDelivery } from './jobs/sendDelivery.ts';
import { releaseWaiting, resealSecrets, sweepDeliveries } from './jobs/sweeps.ts';
import { tellOwner } from './jobs/tellOwner.ts';
import { createMetrics } from './metrics.ts';
import { guardFor } from './outbound/guardFor.ts';
import { createPost } from './outbound/post.ts';
import { layPush, pushEvents, servePush, workPush } from './push.ts';
import { webhookHandlers } from './rpc/handlers.ts';
import { createDeliveryStore } from './store/deliveryStore.ts';
import { createWebhookStore } from './store/webhookStore.ts';

type AppOptions = ServiceOptions<NotificationsConfig>;

/** Timeouts for workers that died and for receivers. Shorter in tests. */
export interface Timing {
  /** Passed to `createJobs`. */
  holdMs?: number;
  sweepEveryMs?: number;
  /** Delay after each failed attempt. */
  delaysMs?: readonly number[];
  answerMs?: number;
  /** Delay before the first retry of a push. */
  pauseMs?: number;
}

export function createApp(options: AppOptions, timing: Timing = {}): App {
  return createService('notifications', options, (service) => {
    const { config, clock, log } = service;
    const parts = layParts(service, timing);
    const { webhooks, deliveries, jobs, push } = parts;
    // Announces new jobs in Redis even without doing work itself; workers sweep.
    if (config.WEBHOOK_WORKS) {
      work(service, parts, timing);
      jobs.start();
    }
    listen(service, parts);
    service.repeat(sweepDeliveries(deliveries, clock));
    service.repeat(resealSecrets(webhooks, push.keys, log));
    const mustBeProven = accountGuard(service.client(SecurityServiceService, config.IDENTITY_ADDR));
    const handlers = webhookHandlers({ ...parts, mustBeProven, plain: config.NOLO_MODE === 'demo', clock });
    return {
      services: [
        rpcService(WebhookServiceService, handlers),
        servePush(service, push),
        rpcService(
          PartServiceService,
          createPart(service, operatorGuard(service.client(OperatorServiceService, service.config.IDENTITY_ADDR))),
        ),
      ],
    };
  });
}

/** Creates a worker, which serves no RPCs and sends what is due. */
export function createWorker(options: AppOptions, timing: Timing = {}): App {
  return createService('notifications', options, (service) => {
    const parts = layParts(service, timing);
    work(service, parts, timing);
    parts.jobs.start();
    return {};
  });
}

type Parts = ReturnType<typeof layParts>;

function layParts(ground: Ground<NotificationsConfig>, { holdMs, sweepEveryMs }: Timing) {
  const { config, log, clock, db, scrapeDb, metrics: registry, onStop } = ground;
  const jobs = createJobs({
    db,
    scrapeDb,
    service: 'notifications',
    redisUrl: config.REDIS_URL,
    redisPrefix: config.REDIS_PREFIX,
    log,
    metrics: registry,
    ...(holdMs === undefined ? {} : { holdMs }),
    ...(sweepEveryMs === undefined ? {} : { sweepEveryMs }),
  });
  onStop('jobs', () => jobs.stop());
  const keys = createKeyRing(webhookKeys(config));
  const webhooks = createWebhookStore(db, keys, jobs);
  const deliveries = createDeliveryStore(db, keys, jobs);
  const metrics = createMetrics(registry, {
    webhooks: createWebhookStore(scrapeDb, keys, jobs).countByState,
    open: createDeliveryStore(scrapeDb, keys, jobs).countOpen,
  });
  const guard = guardFor(config.WEBHOOK_NETWORKS);
  const push = layPush(ground, jobs, keys);
  // The replica or worker that reads the event writes what webhooks and browsers are sent.
  const plans = plansOf(ground, {
    onChanged: onEntitlementsChanged({ webhooks, planOf: async (userId) => (await knownPlan(userId)).plan, clock }),
    // Billing events never concern groups.
    alsoHeard: pushEvents('billing', push, () => Promise.resolve([])),
  });
  const planOf = async (userId: UserId) => (await plans(userId)).plan;
  const mayUse = async (userId: UserId) => (await plans(userId)).limits.apiAccess !== 0;
  /** Throws if the plan is unknown, so that deliveries wait instead of being lost. */
  const knownPlan = async (userId: UserId) => {
    const known = await plans.known(userId);
    if (!known) throw failNotifications('unavailable', 'plan_unknown', 'The plan could not be checked.');
    return known;
  };
  const mayHear = async (userId: UserId) => (await knownPlan(userId)).limits.apiAccess !== 0;
  return { jobs, webhooks, deliveries, metrics, guard, planOf, mayUse, mayHear, push };
}

/** Creates the plan lookup. Billing decides, if present. */
function plansOf(
  ground: Ground<NotificationsConfig>,
  heard: Pick<EntitlementsOptions<'apiAccess'>, 'onChanged' | 'alsoHeard'>,
) {
  const { config, client } = ground;
  const address = config.BILLING_ADDR;
  return createEntitlements(ground, {
    billing: address && {
      entitlements: client(EntitlementsServiceService, address),
      events: client(EventLogServiceService, address),
    },
    everything: { apiAccess: everythingAllowed.apiAccess },
    free: { apiAccess: allowanceOf('free').apiAccess },
    ...heard,
  });
}

/** Subscribes to the event logs of other services. */
function listen({ config, client, consume, log }: Ground<NotificationsConfig>, parts: Parts): void {
  const { webhooks, deliveries, mayHear, push } = parts;
  const groups = client(GroupServiceService, config.CHAT_ADDR);
  const decidersOf = async (conversationId: string) => (await groups.listDeciders({ conversationId })).userIds;
  const tidings = { webhooks, deliveries, mayHear, decidersOf, log };
  consume('identity', client(EventLogServiceService, config.IDENTITY_ADDR), {
    [accountClosed]: onAccountClosed({ webhooks }),
    [userDeleted]: onUserDeleted({ webhooks, subscriptions: push.subscriptions }),
  });
  const owners = [
    ['meetings', config.MEETINGS_ADDR],
    ['chat', config.CHAT_ADDR],
    ['status', config.STATUS_ADDR],
    ['social-scheduler', config.SOCIAL_SCHEDULER_ADDR],
  ] as const;
  for (const [source, address] of owners) {
    const handlers = hearBoth(onTidings(source, tidings), pushEvents(source, push, decidersOf));
    if (address) consume(source, client(EventLogServiceService, address), handlers);
  }
  // Webhooks receive no events of files.
  consume('files', client(EventLogServiceService, config.FILES_ADDR), pushEvents('files', push, decidersOf));
}

function work(ground: Ground<NotificationsConfig>, parts: Parts, timing: Timing): void {
  const { config, clock, client, repeat, log } = ground;
  const { jobs, deliveries, guard, mayHear, metrics } = parts;
  const post = createPost(guard, () => clock.now(), timing.answerMs);
  jobs.work(sending, sendDelivery({ deliveries, post, mayHear, metrics, clock, log, delaysMs: timing.delaysMs }));
  jobs.work(mailing, tellOwner(client(OwnerMailServiceService, config.IDENTITY_ADDR), log));
  repeat(releaseWaiting(deliveries));
  workPush(ground, jobs, parts.push, timing);
}
