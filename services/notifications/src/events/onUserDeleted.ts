import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { WebhookStore } from '../domain/ports.ts';
import type { PushSubscriptionStore } from '../domain/pushPorts.ts';

export const userDeletedSubject = 'event.identity.user_deleted';

const payload = z.object({ userId: z.uuid() });

/** Deletes all data of the person and stops sending. */
export function onUserDeleted({
  webhooks,
  subscriptions,
}: {
  webhooks: Pick<WebhookStore, 'forget'>;
  subscriptions: Pick<PushSubscriptionStore, 'forget'>;
}) {
  return async (event: ServiceEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    const userId = parseId<UserId>(data?.userId);
    if (userId === undefined) throw new Error('The event is malformed.');
    await Promise.all([webhooks.forget(userId), subscriptions.forget(userId)]);
  };
}
