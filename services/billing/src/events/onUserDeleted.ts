import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { MeterStore, TeamStore } from '../domain/ports.ts';

/** Published when an account is deleted. */
export const userDeletedSubject = 'event.identity.user_deleted';

const event = z.object({ userId: z.string() });

interface Dependencies {
  readonly teams: Pick<TeamStore, 'forget'>;
  readonly meters: Pick<MeterStore, 'forget'>;
}

/**
 * Ends the person's seats and team, and stops counting. Orders, receipts and the ledger are retained, as the law of
 * most countries requires, with only the account ID. Idempotent.
 */
export function onUserDeleted({ teams, meters }: Dependencies) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const userId = parseId<UserId>(event.parse(data).userId);
    if (!userId) throw new Error('The event has no user id.');
    await teams.forget(userId);
    await meters.forget(userId);
  };
}
