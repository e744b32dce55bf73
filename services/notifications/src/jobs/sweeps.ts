import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { Task } from '@nolo/kit/repeat';
import { webhookLimits } from '@nolo/rules';
import type { DeliveryStore, WebhookStore } from '../domain/ports.ts';

const batch = 500;
const dayMs = 86_400_000;

/** What waits for a webhook that has room: whoever ends an attempt lets it go on, and this does where nobody did. */
export const releaseWaiting = (deliveries: Pick<DeliveryStore<never>, 'release'>): Task => ({
  name: 'waiting webhooks',
  everyMs: 30_000,
  quietMs: 120_000,
  async run() {
    return (await deliveries.release()) === 0 ? 'nothing' : undefined;
  },
});

/** Deliveries that are listed no longer. */
export const sweepDeliveries = (deliveries: Pick<DeliveryStore<never>, 'sweep'>, clock: Clock): Task => ({
  name: 'old deliveries',
  everyMs: 3_600_000,
  async run() {
    const now = clock.now();
    const before = new Date(now.getTime() - webhookLimits.deliveryDays * dayMs);
    return (await deliveries.sweep(before, batch)) === batch ? now : undefined;
  },
});

/** Once the first of WEBHOOK_KEYS is another one. */
export const resealSecrets = (webhooks: Pick<WebhookStore, 'reseal'>, log: Log): Task => ({
  name: 'secrets of webhooks',
  everyMs: 600_000,
  async run() {
    const resealed = await webhooks.reseal(batch);
    if (resealed > 0) log.info({ resealed }, 'secrets of webhooks are under the first key now');
  },
});
