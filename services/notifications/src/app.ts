import { createEntitlementsLookup, type EntitlementsOptions } from '@nolo/installation/entitlements';
import type { UserId } from '@nolo/kit/ids';
import { createJobScheduler } from '@nolo/kit/jobs';
import { createKeyRing } from '@nolo/kit/keyRing';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createAccountGuard, createOperatorGuard } from '@nolo/kit/proof';
import { bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { OwnerMailServiceDefinition } from '@nolo/proto/ownerMail';
import { WebhookServiceDefinition } from '@nolo/proto/webhooks';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { SecurityServiceDefinition } from '@nolo/proto/security';
import { allowanceOf, unlimitedAllowance } from '@nolo/rules';
import { parseWebhookKeys, type NotificationsConfig } from './config.ts';
import { createNotificationsError } from './errors.ts';
import { webhookMailQueue, webhookDeliveryQueue } from './domain/queues.ts';
import { combineEventHandlers } from './combineEventHandlers.ts';
import { accountClosedSubject, onAccountClosed } from './events/onAccountClosed.ts';
import { onEntitlementsChanged } from './events/onEntitlementsChanged.ts';
import { createWebhookEventHandlers } from './events/onWebhookEvents.ts';
import { onUserDeleted, userDeletedSubject } from './events/onUserDeleted.ts';
import { sendWebhookDelivery } from './jobs/sendWebhookDelivery.ts';
import {
  createReleaseWaitingDeliveriesTask,
  createResealSecretsTask,
  createSweepDeliveriesTask,
} from './jobs/sweeps.ts';
import { notifyWebhookOwner } from './jobs/notifyWebhookOwner.ts';
import { createNotificationsMetrics } from './metrics.ts';
import { createOutboundGuard } from './outbound/createOutboundGuard.ts';
import { createWebhookSender } from './outbound/webhookRequest.ts';
import { createPushComponents, createPushEventHandlers, servePushRpc, startPushWorker } from './push.ts';
import { createWebhookHandlers } from './rpc/handlers.ts';
import { createWebhookDeliveryStore } from './store/webhookDeliveryStore.ts';
import { createWebhookStore } from './store/webhookStore.ts';

type NotificationsAppOptions = ServiceOptions<NotificationsConfig>;

/** Timeouts for workers that died and for receivers. Shorter in tests. */
export interface NotificationsTiming {
  /** Passed to `createJobScheduler`. */
  holdMs?: number;
  sweepEveryMs?: number;
  /** Delay after each failed attempt. */
  delaysMs?: readonly number[];
  answerMs?: number;
  /** Delay before the first retry of a push. */
  pauseMs?: number;
}

export function createNotificationsApp(options: NotificationsAppOptions, timing: NotificationsTiming = {}): ServiceApp {
  return createService('notifications', options, (service) => {
    const { config, clock, log } = service;
    const components = createServiceComponents(service, timing);
    const { webhooks, deliveries, jobs, push } = components;
    // Announces new jobs in Redis even without doing work itself; workers sweep.
    if (config.WEBHOOK_WORKS) {
      work(service, components, timing);
      jobs.start();
    }
    listen(service, components);
    service.repeat(createSweepDeliveriesTask(deliveries, clock));
    service.repeat(createResealSecretsTask(webhooks, push.keys, log));
    const mustBeProven = createAccountGuard(service.client(SecurityServiceDefinition, config.IDENTITY_ADDR));
    const handlers = createWebhookHandlers({ ...components, mustBeProven, plain: config.NOLO_MODE === 'demo', clock });
    return {
      services: [
        bindRpcService(WebhookServiceDefinition, handlers),
        servePushRpc(service, push),
        bindRpcService(
          AdminServiceDefinition,
          createServiceAdminHandlers(
            service,
            createOperatorGuard(service.client(OperatorServiceDefinition, service.config.IDENTITY_ADDR)),
          ),
        ),
      ],
    };
  });
}

/** Creates a worker, which serves no RPCs and sends what is due. */
export function createNotificationsWorker(
  options: NotificationsAppOptions,
  timing: NotificationsTiming = {},
): ServiceApp {
  return createService('notifications', options, (service) => {
    const components = createServiceComponents(service, timing);
    work(service, components, timing);
    components.jobs.start();
    return {};
  });
}

type ServiceComponents = ReturnType<typeof createServiceComponents>;

function createServiceComponents(
  context: ServiceContext<NotificationsConfig>,
  { holdMs, sweepEveryMs }: NotificationsTiming,
) {
  const { config, log, clock, db, scrapeDb, metrics: registry, onStop } = context;
  const jobs = createJobScheduler({
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
  const keys = createKeyRing(parseWebhookKeys(config));
  const webhooks = createWebhookStore(db, keys, jobs);
  const deliveries = createWebhookDeliveryStore(db, keys, jobs);
  const metrics = createNotificationsMetrics(registry, {
    webhooks: createWebhookStore(scrapeDb, keys, jobs).countByState,
    open: createWebhookDeliveryStore(scrapeDb, keys, jobs).countOpen,
  });
  const guard = createOutboundGuard(config.WEBHOOK_NETWORKS);
  const push = createPushComponents(context, jobs, keys);
  // The replica or worker that reads the event writes what webhooks and browsers are sent.
  const plans = plansOf(context, {
    onChanged: onEntitlementsChanged({ webhooks, planOf: async (userId) => (await knownPlan(userId)).plan, clock }),
    // Billing events never concern groups.
    otherHandlers: createPushEventHandlers('billing', push, () => Promise.resolve([])),
  });
  const planOf = async (userId: UserId) => (await plans(userId)).plan;
  const mayUse = async (userId: UserId) => (await plans(userId)).limits.apiAccess !== 0;
  /** Throws if the plan is unknown, so that deliveries wait instead of being lost. */
  const knownPlan = async (userId: UserId) => {
    const known = await plans.known(userId);
    if (!known) throw createNotificationsError('unavailable', 'plan_unknown', 'The plan could not be checked.');
    return known;
  };
  const canReceiveWebhooks = async (userId: UserId) => (await knownPlan(userId)).limits.apiAccess !== 0;
  return { jobs, webhooks, deliveries, metrics, guard, planOf, mayUse, canReceiveWebhooks, push };
}

/** Creates the plan lookup. Billing decides, if present. */
function plansOf(
  context: ServiceContext<NotificationsConfig>,
  entitlementsListeners: Pick<EntitlementsOptions<'apiAccess'>, 'onChanged' | 'otherHandlers'>,
) {
  const { config, client } = context;
  const address = config.BILLING_ADDR;
  return createEntitlementsLookup(context, {
    billing: address && {
      entitlements: client(EntitlementsServiceDefinition, address),
      events: client(EventLogServiceDefinition, address),
    },
    everything: { apiAccess: unlimitedAllowance.apiAccess },
    free: { apiAccess: allowanceOf('free').apiAccess },
    ...entitlementsListeners,
  });
}

/** Subscribes to the event logs of other services. */
function listen(
  { config, client, consume, log }: ServiceContext<NotificationsConfig>,
  components: ServiceComponents,
): void {
  const { webhooks, deliveries, canReceiveWebhooks, push } = components;
  const groups = client(GroupServiceDefinition, config.CHAT_ADDR);
  const decidersOf = async (conversationId: string) => (await groups.listGroupAdmins({ conversationId })).userIds;
  const tidings = { webhooks, deliveries, canReceiveWebhooks, decidersOf, log };
  consume('identity', client(EventLogServiceDefinition, config.IDENTITY_ADDR), {
    [accountClosedSubject]: onAccountClosed({ webhooks }),
    [userDeletedSubject]: onUserDeleted({ webhooks, subscriptions: push.subscriptions }),
  });
  const owners = [
    ['meetings', config.MEETINGS_ADDR],
    ['chat', config.CHAT_ADDR],
    ['status', config.STATUS_ADDR],
    ['social-scheduler', config.SOCIAL_SCHEDULER_ADDR],
  ] as const;
  for (const [source, address] of owners) {
    const handlers = combineEventHandlers(
      createWebhookEventHandlers(source, tidings),
      createPushEventHandlers(source, push, decidersOf),
    );
    if (address) consume(source, client(EventLogServiceDefinition, address), handlers);
  }
  // Webhooks receive no events of files.
  consume(
    'files',
    client(EventLogServiceDefinition, config.FILES_ADDR),
    createPushEventHandlers('files', push, decidersOf),
  );
}

function work(
  context: ServiceContext<NotificationsConfig>,
  components: ServiceComponents,
  timing: NotificationsTiming,
): void {
  const { config, clock, client, repeat, log } = context;
  const { jobs, deliveries, guard, canReceiveWebhooks, metrics } = components;
  const post = createWebhookSender(guard, () => clock.now(), timing.answerMs);
  jobs.work(
    webhookDeliveryQueue,
    sendWebhookDelivery({ deliveries, post, canReceiveWebhooks, metrics, clock, log, delaysMs: timing.delaysMs }),
  );
  jobs.work(webhookMailQueue, notifyWebhookOwner(client(OwnerMailServiceDefinition, config.IDENTITY_ADDR), log));
  repeat(createReleaseWaitingDeliveriesTask(deliveries));
  startPushWorker(context, jobs, components.push, timing);
}
