import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { ConversationEpochStore, KeyDirectory } from '../domain/epochPorts.ts';
import type { MemberStore, SendFrame } from '../domain/ports.ts';

export const devicesChangedSubject = 'event.identity.devices_changed';

/** Maximum people notified of a change. The others see it before they next send. */
const maxNotified = 5_000;

const payload = z.object({ userId: z.uuid(), chain: z.int(), n: z.int() });

/**
 * Stops conversations whose newest epoch gives the secret to a device that lost access, and notifies people who share a
 * conversation that a person's devices changed. Identity notifies the person.
 */
export function onDevicesChanged({
  members,
  epochs,
  directory,
  sendFrame,
}: {
  members: Pick<MemberStore, 'listCompanions'>;
  epochs: Pick<ConversationEpochStore, 'isInAny' | 'markRemovals'>;
  directory: Pick<KeyDirectory, 'statesOf'>;
  sendFrame: SendFrame;
}) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId: id, chain, n } = payload.parse(data);
    const userId = id as UserId;
    // Identity of the release before answers no question about many lists, and nothing has epochs then.
    if (await epochs.isInAny(userId)) {
      // The event may be old: what counts is the newest list.
      const states = await directory.statesOf([{ userId, named: [], known: [] }], undefined);
      await epochs.markRemovals(userId, states.get(userId));
    }
    const recipients = await members.listCompanions(userId, maxNotified);
    if (recipients.length > 0)
      await sendFrame({ recipients, frame: { type: 'devices_changed', data: { userId, chain, n } } });
  };
}
