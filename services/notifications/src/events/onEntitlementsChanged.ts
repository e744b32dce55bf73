import type { Clock } from '@nolo/kit/clock';
import { newId, parseId, type UserId } from '@nolo/kit/ids';
import type { WebhookStore } from '../domain/ports.ts';

/**
 * Billing tells that what somebody may do is another, which add-ons and seats change too; webhooks are told where the plan
 * itself is. They hear of it whatever the new plan has, for it says why they hear nothing else from then on.
 */
export function onEntitlementsChanged({
  webhooks,
  planOf,
  clock,
}: {
  webhooks: Pick<WebhookStore, 'hasAny' | 'notePlan'>;
  planOf: (userId: UserId) => Promise<string>;
  clock: Clock;
}) {
  return async (id: string): Promise<void> => {
    const userId = parseId<UserId>(id);
    if (userId === undefined || !(await webhooks.hasAny(userId))) return;
    const plan = await planOf(userId);
    await webhooks.notePlan(userId, plan, (previousPlan) => ({
      type: 'plan.changed',
      eventId: newId(),
      at: clock.now(),
      data: { plan, previousPlan },
    }));
  };
}
