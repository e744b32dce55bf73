import type { Clock } from '@nolo/kit/clock';
import { newId, parseId, type UserId } from '@nolo/kit/ids';
import type { WebhookStore } from '../domain/ports.ts';

/**
 * Handles changed entitlements, which add-ons and seats can change too. Notifies webhooks if the plan itself changed,
 * whatever the new plan includes, because the event explains why no others follow.
 */
export function onEntitlementsChanged({
  webhooks,
  planOf,
  clock,
}: {
  webhooks: Pick<WebhookStore, 'hasAny' | 'recordPlan'>;
  planOf: (userId: UserId) => Promise<string>;
  clock: Clock;
}) {
  return async (id: string): Promise<void> => {
    const userId = parseId<UserId>(id);
    if (userId === undefined || !(await webhooks.hasAny(userId))) return;
    const plan = await planOf(userId);
    await webhooks.recordPlan(userId, plan, (previousPlan) => ({
      type: 'plan.changed',
      eventId: newId(),
      at: clock.now(),
      data: { plan, previousPlan },
    }));
  };
}
