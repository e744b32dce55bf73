import type { Delivery } from '@nolo/kit/delivery';
import type { OutboxEntry } from '@nolo/kit/outbox';
import type { UserId } from '@nolo/kit/ids';

/** What goes into the outbox together with the change that it tells of. */

/** One frame for a great many people would outgrow what NATS carries in one message. */
const recipientsPerFrame = 5000;

/** For all gateways: they close the sockets of these sessions. One that misses it asks FilterLiveSessions. */
export function sessionsEnded(
  userId: UserId,
  sessionIds: readonly string[],
  why: { suspended?: true } = {},
): OutboxEntry[] {
  const payload = { userId, sessionIds, ...why };
  return sessionIds.length === 0 ? [] : [{ subject: 'gateway.all.session_ended', payload }];
}

/** For the owners of contact lists that changed without their doing. */
export function contactsChanged(ownerIds: readonly UserId[]): OutboxEntry[] {
  const recipients = [...new Set(ownerIds)];
  const entries: OutboxEntry[] = [];
  for (let start = 0; start < recipients.length; start += recipientsPerFrame) {
    const delivery: Delivery = {
      recipients: recipients.slice(start, start + recipientsPerFrame),
      frame: { type: 'contacts_changed', data: {} },
    };
    entries.push({ subject: 'deliver', payload: delivery });
  }
  return entries;
}
