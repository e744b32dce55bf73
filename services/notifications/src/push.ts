import type { ServiceEvent } from '@nolo/kit/events';
import type { SessionId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { KeyRing } from '@nolo/kit/keyRing';
import { bindRpcService, type RpcService } from '@nolo/kit/rpc';
import type { ServiceContext } from '@nolo/kit/service';
import { findVisibleSessions } from '@nolo/kit/visibleSessions';
import { AlertServiceDefinition } from '@nolo/proto/alerts';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { PushServiceDefinition } from '@nolo/proto/push';
import { StatusServiceDefinition } from '@nolo/proto/status';
import { z } from 'zod';
import { deriveConfiguredVapidKeys, type NotificationsConfig } from './config.ts';
import { pushQueue } from './domain/queues.ts';
import { createPushRelevanceCheck, createChatPushEventHandlers } from './events/onChatPushEvents.ts';
import { createOtherPushEventHandlers } from './events/onOtherPushEvents.ts';
import { isStatusUnseen, onStatusPosted } from './events/onStatusPosted.ts';
import { createPushNotifier } from './domain/pushNotifier.ts';
import { sendPush } from './jobs/sendPush.ts';
import { createSweepPushedEventsTask, createSweepSubscriptionsTask } from './jobs/sweeps.ts';
import { createPushMetrics } from './metrics.ts';
import { createOutboundGuard } from './outbound/createOutboundGuard.ts';
import { createPushSender } from './outbound/pushRequest.ts';
import { createPushHandlers } from './rpc/handlers.ts';
import { createPushStore } from './store/pushStore.ts';
import { createPushSettingsStore } from './store/pushSettingsStore.ts';
import { createPushSubscriptionStore } from './store/pushSubscriptionStore.ts';
import { createVapidKeyStore } from './store/vapidKeys.ts';

const sessionEnd = z.object({ sessionIds: z.array(z.uuid()) });

export type PushComponents = ReturnType<typeof createPushComponents>;

/** Creates the components of web push. */
export function createPushComponents(context: ServiceContext<NotificationsConfig>, jobs: JobScheduler, ring: KeyRing) {
  const { config, db, scrapeDb, clock, redis, client, metrics: registry } = context;
  const subscriptions = createPushSubscriptionStore(db);
  const pushes = createPushStore(db, jobs);
  const settings = createPushSettingsStore(db);
  const keys = createVapidKeyStore(db, ring, deriveConfiguredVapidKeys(config));
  const alerts = client(AlertServiceDefinition, config.CHAT_ADDR);
  const statuses = client(StatusServiceDefinition, config.STATUS_ADDR);
  const identity = client(IdentityServiceDefinition, config.IDENTITY_ADDR);
  const metrics = createPushMetrics(registry, {
    subscriptions: createPushSubscriptionStore(scrapeDb).count,
    waiting: createPushStore(scrapeDb, jobs).count,
  });
  const guard = createOutboundGuard(config.PUSH_NETWORKS);
  const live = async (sessionIds: readonly SessionId[]) =>
    new Set((await identity.filterLiveSessions({ sessionIds: [...sessionIds] })).sessionIds);
  const watched = (sessionIds: readonly string[]) => findVisibleSessions(redis, sessionIds);
  const unread = async (userIds: readonly string[]) => {
    const { counts } = await alerts.countUnread({ userIds: [...userIds] });
    return new Map(counts.map(({ userId = '', count = 0 }) => [userId, count]));
  };
  const notifier = createPushNotifier({ subscriptions, pushes, settings, watched, live, unread, clock });
  return { subscriptions, pushes, settings, keys, alerts, statuses, metrics, guard, live, watched, notifier };
}

/** Creates handlers for another service's event log. */
export function createPushEventHandlers(
  source: string,
  { alerts, statuses, notifier }: PushComponents,
  decidersOf: (groupId: string) => Promise<readonly string[]>,
): Record<string, (event: ServiceEvent) => Promise<void>> {
  const messages = source === 'chat' ? createChatPushEventHandlers({ alerts, notifier }) : {};
  const updates: ReturnType<typeof createPushEventHandlers> =
    source === 'status' ? { 'event.status.posted': onStatusPosted({ statuses, notifier }) } : {};
  return { ...messages, ...updates, ...createOtherPushEventHandlers(source, { notifier, decidersOf }) };
}

/** Serves what the service does and its workers do not. */
export function servePushRpc(context: ServiceContext<NotificationsConfig>, components: PushComponents): RpcService {
  const { config, clock, bus, log, repeat, onStop } = context;
  const { subscriptions, pushes, settings, keys, guard, live } = components;
  repeat(createSweepPushedEventsTask(pushes, clock));
  repeat(createSweepSubscriptionsTask(subscriptions, live));
  // Events may be lost while NATS is disconnected; the end is then detected on the next send.
  const end = bus.subscribe('gateway.all.session_ended', (data) => {
    const { data: ended } = sessionEnd.safeParse(data);
    subscriptions
      .removeSessions((ended?.sessionIds ?? []) as SessionId[])
      .catch((error: unknown) => log.warn({ err: error }, 'removing the subscriptions of ended sessions failed'));
  });
  onStop('session ends', end);
  return bindRpcService(
    PushServiceDefinition,
    createPushHandlers({ subscriptions, settings, keys, guard, plain: config.NOLO_MODE === 'demo', clock }),
  );
}

/** Sends pending pushes. */
export function startPushWorker(
  { config, clock, log, onStop }: ServiceContext<NotificationsConfig>,
  jobs: JobScheduler,
  components: PushComponents,
  timing: { answerMs?: number; pauseMs?: number } = {},
): void {
  const { subscriptions, pushes, keys, alerts, statuses, metrics, guard, watched } = components;
  const { send, stop } = createPushSender({
    guard,
    keys: keys.get,
    contact: config.PUSH_CONTACT,
    now: () => clock.now(),
    answerMs: timing.answerMs,
  });
  onStop('push services', stop);
  const isUnread = createPushRelevanceCheck(alerts);
  jobs.work(
    pushQueue,
    sendPush({
      pushes,
      subscriptions,
      send,
      isNews: async (push) =>
        !(await watched([push.subscription.sessionId])).has(push.subscription.sessionId) &&
        (await (push.type === 'status' ? isStatusUnseen(statuses, push) : isUnread(push))),
      metrics,
      clock,
      log,
      pauseMs: timing.pauseMs,
    }),
  );
}
