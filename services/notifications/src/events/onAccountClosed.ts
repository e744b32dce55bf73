import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { WebhookStore } from '../domain/ports.ts';

/** Event for an account that was closed or reopened. */
export const accountClosedSubject = 'event.identity.account_closed';

const payload = z.object({ userId: z.uuid(), closed: z.boolean() });

/** Silences webhooks while their account is closed, until it is reopened. */
export function onAccountClosed({ webhooks }: { webhooks: Pick<WebhookStore, 'setOwnerClosed'> }) {
  return async (event: ServiceEvent): Promise<void> => {
    const { userId, closed } = payload.parse(event.data);
    const owner = parseId<UserId>(userId);
    if (owner) await webhooks.setOwnerClosed(owner, closed);
  };
}
