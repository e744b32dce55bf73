import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { MeterStore, TeamStore } from '../domain/ports.ts';

/** Tells that an account is gone. */
export const userDeleted = 'event.identity.user_deleted';

const event = z.object({ userId: z.string() });

interface Dependencies {
  readonly teams: Pick<TeamStore, 'forget'>;
  readonly meters: Pick<MeterStore, 'forget'>;
}

/**
 * The person's seats and their team end, and nothing more is counted. Orders, receipts and the
 * ledger are kept, as the law of most countries wants, and name the account by its id. Doing it again changes nothing.
 */
export function onUserDeleted({ teams, meters }: Dependencies) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const userId = parseId<UserId>(event.parse(data).userId);
    if (!userId) throw new Error('The event names no user.');
    await teams.forget(userId);
    await meters.forget(userId);
  };
}
