import type { FrameDelivery } from '@nolo/kit/delivery';
import type { OutboxEntry } from '@nolo/kit/outbox';
import type { UserId } from '@nolo/kit/ids';

/** Outbox entries that are written together with the change they describe. */

/** Maximum recipients per frame. A frame for too many people would exceed the message size of NATS. */
const recipientsPerFrame = 5000;

/** Makes all gateways close the sockets of these sessions. A gateway that misses it calls FilterLiveSessions. */
export function createSessionsEndedEntries(
  userId: UserId,
  sessionIds: readonly string[],
  why: { suspended?: true } = {},
): OutboxEntry[] {
  const payload = { userId, sessionIds, ...why };
  return sessionIds.length === 0 ? [] : [{ subject: 'gateway.all.session_ended', payload }];
}

/** Notifies owners whose contact lists changed without their action. */
export function createContactsChangedEntries(ownerIds: readonly UserId[]): OutboxEntry[] {
  const recipients = [...new Set(ownerIds)];
  const entries: OutboxEntry[] = [];
  for (let start = 0; start < recipients.length; start += recipientsPerFrame) {
    const delivery: FrameDelivery = {
      recipients: recipients.slice(start, start + recipientsPerFrame),
      frame: { type: 'contacts_changed', data: {} },
    };
    entries.push({ subject: 'deliver', payload: delivery });
  }
  return entries;
}
