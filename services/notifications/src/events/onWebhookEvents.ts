import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { WebhookDeliveryStore, WebhookStore } from '../domain/ports.ts';
import {
  webhookEventRoutes,
  eventTime,
  type WebhookAudience,
  type WebhookEventSource,
} from '../domain/webhookEventRoutes.ts';

export interface WebhookEventHandlerDependencies {
  readonly webhooks: Pick<WebhookStore, 'hasSubscribers' | 'filterSubscribedUsers'>;
  readonly deliveries: Pick<WebhookDeliveryStore<never>, 'enqueueDeliveries'>;
  /** Rejects if the plan is unknown; the event is then retried. */
  readonly canReceiveWebhooks: (userId: UserId) => Promise<boolean>;
  /** Returns a group's owner and admins. */
  readonly decidersOf: (groupId: string) => Promise<readonly string[]>;
  readonly log: Log;
}

/**
 * Creates handlers for one service's events that webhooks receive. Writes nothing for accounts whose plan excludes
 * webhooks, and webhooks get no events from before their creation.
 */
export function createWebhookEventHandlers(source: WebhookEventSource, dependencies: WebhookEventHandlerDependencies) {
  const { webhooks, deliveries, canReceiveWebhooks, decidersOf, log } = dependencies;
  const accounts = async (audience: WebhookAudience): Promise<UserId[]> => {
    const ids = 'userIds' in audience ? audience.userIds : await decidersOf(audience.decidersOf);
    return ids.flatMap((id) => parseId<UserId>(id) ?? []);
  };

  const handle = async (
    event: ServiceEvent,
    read: (data: unknown) => ReturnType<(typeof webhookEventRoutes)[number]['read']>,
  ) => {
    const tidings = read(event.data);
    // Most events concern no webhook, so nothing further is queried for them.
    if (!tidings || !(await webhooks.hasSubscribers(tidings.type))) return;
    const { type, data } = tidings;
    const at = eventTime(event);
    const subscribedUsers = await webhooks.filterSubscribedUsers(await accounts(tidings.audience), type, at);
    const allowed = await Promise.all(subscribedUsers.map(canReceiveWebhooks));
    const recipients = subscribedUsers.filter((_, index) => allowed[index]);
    if (recipients.length === 0) return;
    const written = await deliveries.enqueueDeliveries(recipients, { type, eventId: event.id, at, data });
    log.debug({ type, written }, 'event recorded for webhooks');
  };

  return Object.fromEntries(
    webhookEventRoutes
      .filter((route) => route.source === source)
      .map(({ subject, read }) => [subject, (event: ServiceEvent) => handle(event, read)]),
  );
}
