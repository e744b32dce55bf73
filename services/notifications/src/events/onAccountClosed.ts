import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { WebhookStore } from '../domain/ports.ts';

/** Tells that an account was closed to be deleted, or was opened again. */
export const accountClosed = 'event.identity.account_closed';

const payload = z.object({ userId: z.uuid(), closed: z.boolean() });

/** Webhooks are told of nothing while the account is closed, and go on where it is opened again. */
export function onAccountClosed({ webhooks }: { webhooks: Pick<WebhookStore, 'setOwnerClosed'> }) {
  return async (event: ServiceEvent): Promise<void> => {
    const { userId, closed } = payload.parse(event.data);
    const owner = parseId<UserId>(userId);
    if (owner) await webhooks.setOwnerClosed(owner, closed);
  };
}
