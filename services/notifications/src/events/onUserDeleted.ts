import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { WebhookStore } from '../domain/ports.ts';

export const userDeleted = 'event.identity.user_deleted';

const payload = z.object({ userId: z.uuid() });

/** Nothing of the person stays, and nothing more is sent. */
export function onUserDeleted({ webhooks }: { webhooks: Pick<WebhookStore, 'forget'> }) {
  return async (event: ServiceEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    const userId = parseId<UserId>(data?.userId);
    if (userId === undefined) throw new Error('The event cannot be understood.');
    await webhooks.forget(userId);
  };
}
