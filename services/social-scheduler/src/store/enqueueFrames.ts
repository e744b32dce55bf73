import type { Knex } from '@nolo/kit/db';
import { deliverySubject } from '@nolo/kit/delivery';
import type { UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import type { SocialFrame } from '../domain/frames.ts';

/** Writes frames, each to one person, in the caller's transaction. */
export async function enqueueFrames(trx: Knex, ...deliveries: { userId: UserId; frame: SocialFrame }[]): Promise<void> {
  const entries = deliveries.map(({ userId, frame }) => ({
    subject: deliverySubject,
    payload: { recipients: [userId], frame },
  }));
  await enqueue(trx, ...entries);
}
