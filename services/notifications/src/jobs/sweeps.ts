import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { PeriodicTask } from '@nolo/kit/repeat';
import { webhookLimits } from '@nolo/rules';
import type { SessionId } from '@nolo/kit/ids';
import type { WebhookDeliveryStore, WebhookStore } from '../domain/ports.ts';
import type { PushStore, PushSubscriptionStore } from '../domain/pushPorts.ts';
import type { VapidKeyStore } from '../domain/vapidKeys.ts';

const batch = 500;
const dayMs = 86_400_000;

/**
 * Releases deliveries that wait for a webhook with free capacity. The end of an attempt normally does this; this sweep
 * covers missed ones.
 */
export const createReleaseWaitingDeliveriesTask = (
  deliveries: Pick<WebhookDeliveryStore<never>, 'release'>,
): PeriodicTask => ({
  name: 'waiting webhooks',
  everyMs: 30_000,
  quietMs: 120_000,
  async run() {
    return (await deliveries.release()) === 0 ? 'nothing' : undefined;
  },
});

/** Deletes deliveries that are no longer listed. */
export const createSweepDeliveriesTask = (
  deliveries: Pick<WebhookDeliveryStore<never>, 'sweep'>,
  clock: Clock,
): PeriodicTask => ({
  name: 'old deliveries',
  everyMs: 3_600_000,
  async run() {
    const now = clock.now();
    const before = new Date(now.getTime() - webhookLimits.deliveryDays * dayMs);
    return (await deliveries.sweep(before, batch)) === batch ? now : undefined;
  },
});

/** Re-encrypts secrets after the first of WEBHOOK_KEYS changed. */
export const createResealSecretsTask = (
  webhooks: Pick<WebhookStore, 'reseal'>,
  keys: Pick<VapidKeyStore, 'reseal'>,
  log: Log,
): PeriodicTask => ({
  name: 'secrets of webhooks',
  everyMs: 600_000,
  async run() {
    await keys.reseal();
    const resealed = await webhooks.reseal(batch);
    if (resealed > 0) log.info({ resealed }, 'webhook secrets re-encrypted under the first key');
  },
});

/** Deletes events that are too old to be repeated. */
export const createSweepPushedEventsTask = (pushes: Pick<PushStore<never>, 'sweep'>, clock: Clock): PeriodicTask => ({
  name: 'events that were pushed',
  everyMs: 3_600_000,
  async run() {
    const now = clock.now();
    return (await pushes.sweep(new Date(now.getTime() - dayMs), batch)) === batch ? now : undefined;
  },
});

/** Deletes subscriptions of sessions that expired or whose end event was lost. */
export const createSweepSubscriptionsTask = (
  subscriptions: Pick<PushSubscriptionStore, 'sessions' | 'removeSessions'>,
  live: (sessionIds: readonly SessionId[]) => Promise<ReadonlySet<string>>,
): PeriodicTask => ({
  name: 'subscriptions of ended sessions',
  everyMs: 3_600_000,
  async run() {
    let after: SessionId | undefined;
    for (;;) {
      const some = await subscriptions.sessions(after, batch);
      const going = some.length === 0 ? new Set<string>() : await live(some);
      await subscriptions.removeSessions(some.filter((id) => !going.has(id)));
      after = some.at(-1);
      if (some.length < batch) return;
    }
  },
});
