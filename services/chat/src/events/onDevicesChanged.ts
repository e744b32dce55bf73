import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { MemberStore, SendFrame } from '../domain/ports.ts';

export const devicesChangedSubject = 'event.identity.devices_changed';

/** Maximum people notified of a change. The others see it before they next send. */
const maxNotified = 5_000;

const payload = z.object({ userId: z.uuid(), chain: z.int(), n: z.int() });

/** Notifies people who share a conversation that a person's devices changed. Identity notifies the person. */
export function onDevicesChanged({
  members,
  sendFrame,
}: {
  members: Pick<MemberStore, 'listCompanions'>;
  sendFrame: SendFrame;
}) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, chain, n } = payload.parse(data);
    const recipients = await members.listCompanions(userId as UserId, maxNotified);
    if (recipients.length > 0)
      await sendFrame({ recipients, frame: { type: 'devices_changed', data: { userId, chain, n } } });
  };
}
