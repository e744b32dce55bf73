import { randomBytes, randomUUID } from 'node:crypto';
import { loadConfig } from '@nolo/kit/config';
import { newId } from '@nolo/kit/ids';
import { createStopStack } from '@nolo/kit/lifecycle';
import { connectBus } from '@nolo/kit/bus';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { createClient, bindRpcService, serveRpc, type RpcHandlers } from '@nolo/kit/rpc';
import { createVisibleSessions } from '@nolo/kit/visibleSessions';
import { AlertServiceDefinition, type Alert } from '@nolo/proto/alerts';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { OwnerMailServiceDefinition, type NotifyWebhookDisabledRequest } from '@nolo/proto/ownerMail';
import { PushServiceDefinition } from '@nolo/proto/push';
import { StatusServiceDefinition } from '@nolo/proto/status';
import { WebhookServiceDefinition, type Delivery } from '@nolo/proto/webhooks';
import {
  createTestEnvironment,
  createTestProofs,
  eventually,
  createFakeClock,
  openDatabase,
  startTestBilling,
  startTestEvents,
} from '@nolo/testing';
import { createNotificationsApp, type NotificationsTiming } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import { startWebhookReceiver } from './startWebhookReceiver.ts';

const secret = 'a-secret-of-this-test-alone';

/** Creates handlers of which a test needs only some. */
const unasked = <Handlers extends object>(handlers: Handlers): Handlers =>
  new Proxy(handlers, {
    get: (target, name) =>
      (Reflect.get(target, name) as unknown) ??
      (() => Promise.reject(new Error(`Unexpected call to ${String(name)}.`))),
  });

/** Starts the service on real stores with its own receiver, and fakes the other services. */
export async function startNotifications({ sells = false, ...timing }: NotificationsTiming & { sells?: boolean } = {}) {
  const stack = createStopStack();
  const environment = await createTestEnvironment(['notifications']);
  stack.push('environment', () => environment.drop());
  const log = createLog({ service: 'test', level: 'fatal' });
  // The receivers' library accepts signatures of the last few minutes only.
  const clock = createFakeClock(new Date());
  const events = await startTestEvents(environment, secret);
  stack.push('events', () => events.stop());
  const billing = sells ? await startTestBilling(environment, secret, () => clock.now()) : undefined;
  if (billing) stack.push('billing', () => billing.stop());
  const mails: NotifyWebhookDisabledRequest[] = [];
  const deciders = new Map<string, string[]>();
  const groups = {
    listGroupAdmins: async ({ conversationId = '' }: { conversationId?: string }) => ({
      userIds: deciders.get(conversationId) ?? [],
    }),
  } as unknown as RpcHandlers<typeof GroupServiceDefinition>;
  const fakeData = {
    alerts: new Map<string, Alert[]>(),
    unread: new Map<string, number>(),
    ended: new Set<string>(),
    /** Readers of status updates, in pages of one, so there are several. */
    readers: new Map<string, string[]>(),
  };
  const statuses = {
    async listStatusReaders({
      statusId,
      afterUserId,
      userIds,
    }: {
      statusId: string;
      afterUserId?: string;
      userIds: string[];
    }) {
      const all = fakeData.readers.get(statusId) ?? [];
      if (userIds.length > 0) return { userIds: all.filter((id) => userIds.includes(id)) };
      const at = afterUserId === undefined ? 0 : all.indexOf(afterUserId) + 1;
      return { userIds: all.slice(at, at + 1), nextUserId: at + 1 < all.length ? all[at] : undefined };
    },
  } as unknown as RpcHandlers<typeof StatusServiceDefinition>;
  const identity = {
    filterLiveSessions: async ({ sessionIds }: { sessionIds: string[] }) => ({
      sessionIds: sessionIds.filter((id) => !fakeData.ended.has(id)),
    }),
  } as unknown as RpcHandlers<typeof IdentityServiceDefinition>;
  const proofs = createTestProofs();
  const others = await serveRpc({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    log,
    services: [
      events.service,
      ...proofs.services,
      bindRpcService(GroupServiceDefinition, unasked(groups)),
      bindRpcService(IdentityServiceDefinition, unasked(identity)),
      bindRpcService(StatusServiceDefinition, unasked(statuses)),
      bindRpcService(AlertServiceDefinition, {
        async listAlerts({ conversationId = '', userIds }) {
          const alerts = fakeData.alerts.get(conversationId) ?? [];
          const some = userIds.length === 0 ? alerts : alerts.filter(({ userId = '' }) => userIds.includes(userId));
          return { alerts: some, conversationType: 'direct' };
        },
        async countUnread({ userIds }) {
          return { counts: userIds.map((userId) => ({ userId, count: fakeData.unread.get(userId) ?? 0 })) };
        },
      }),
      bindRpcService(OwnerMailServiceDefinition, {
        async notifyWebhookDisabled(request) {
          mails.push(request);
          return {};
        },
      }),
    ],
  });
  stack.push('others', () => others.stop());
  const receiver = await startWebhookReceiver();
  stack.push('receiver', () => receiver.stop());
  const address = `127.0.0.1:${others.port}`;
  const config = loadConfig(configSchema, {
    ...environment.variablesFor('notifications'),
    NOLO_MODE: 'demo',
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: secret,
    METRICS_LISTEN: '127.0.0.1:0',
    ...Object.fromEntries(['IDENTITY', 'CHAT', 'MEETINGS', 'STATUS', 'FILES'].map((name) => [`${name}_ADDR`, address])),
    BILLING_ADDR: billing?.address,
    WEBHOOK_KEYS: `first:${randomBytes(32).toString('base64')}`,
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    PUSH_NETWORKS: '127.0.0.0/8',
  });
  const defaultTiming = { sweepEveryMs: 300, holdMs: 1_500, delaysMs: [50, 100], pauseMs: 100 };
  const app = createNotificationsApp({ config, log, clock, longestPauseMs: 200 }, { ...defaultTiming, ...timing });
  const { rpc } = await app.start();
  stack.push('app', () => app.stop());
  const client = createClient(WebhookServiceDefinition, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
  stack.push('client', () => client.close());
  const push = createClient(PushServiceDefinition, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
  stack.push('push', () => push.close());
  const { redisUrl, redisPrefix, natsUrl, natsPrefix } = environment;
  const redis = await connectRedis({ url: redisUrl, prefix: redisPrefix, log });
  stack.push('redis', () => closeRedis(redis));
  const bus = await connectBus({ url: natsUrl, prefix: natsPrefix, name: 'test', log });
  stack.push('bus', () => bus.close());
  const db = openDatabase(environment.urls.notifications, 'notifications');
  stack.push('db', () => db.destroy());

  const deliveriesOf = async (actorId: string, webhookId: string): Promise<Delivery[]> =>
    (await client.listDeliveries({ actorId, webhookId, limit: 100 })).deliveries;
  return {
    client,
    push,
    /** Replies of the other services. */
    asked: fakeData,
    proofs,
    watches: createVisibleSessions({ redis, log }),
    bus,
    clock,
    db,
    receiver,
    mails,
    deciders,
    billing,
    publishEvent: events.publishEvent,
    /** Creates an ID as the owning service would now: it begins with the time. */
    eventId() {
      const time = clock.now().getTime().toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
    },
    deliveriesOf,
    /** Creates a webhook for a new or given account that targets the receiver. */
    async hook(events: string[], { actorId = newId(), path = '' }: { actorId?: string; path?: string } = {}) {
      const url = `${receiver.url}${path}`;
      const { webhook, secret: key } = await client.createWebhook({
        actorId,
        sessionId: newId(),
        url,
        description: '',
        events,
      });
      if (webhook?.id === undefined || key === undefined) throw new Error('No webhook was created.');
      return { actorId, webhookId: webhook.id, secret: key };
    },
    /** Waits until this many deliveries are in this state. */
    settled: (actorId: string, webhookId: string, state: string, count = 1) =>
      eventually(async () => {
        const found = (await deliveriesOf(actorId, webhookId)).filter((delivery) => delivery.state === state);
        return found.length === count ? found : undefined;
      }),
    /** Returns the reasons for which jobs are held. */
    jobHoldReasons: async () =>
      (await db('jobs').whereLike('failure', 'held:%').select<{ failure: string }[]>('failure')).map(({ failure }) =>
        failure.slice('held:'.length),
      ),
    /** Returns the number of events that failed and will be retried. */
    parked: async () => (await db('parked_events').where('attempts', '>', 0)).length,
    stop: () => stack.stop(),
  };
}

export type TestNotifications = Awaited<ReturnType<typeof startNotifications>>;
