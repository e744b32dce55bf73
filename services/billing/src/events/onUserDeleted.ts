import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { MeterStore, OperatorStore, TeamStore } from '../domain/ports.ts';

/** Tells that an account is gone. */
export const userDeleted = 'event.identity.user_deleted';

const event = z.object({ userId: z.string() });

interface Dependencies {
  readonly teams: Pick<TeamStore, 'forget'>;
  readonly meters: Pick<MeterStore, 'forget'>;
  readonly operators: Pick<OperatorStore, 'forget'>;
}

/**
 * The person's seats and their team end, nothing more is counted, and who was an operator is none. Orders, receipts and the
 * ledger are kept, as the law of most countries wants, and name the account by its id. Doing it again changes nothing.
 */
export function onUserDeleted({ teams, meters, operators }: Dependencies) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const userId = parseId<UserId>(event.parse(data).userId);
    if (!userId) throw new Error('The event names no user.');
    await teams.forget(userId);
    await meters.forget(userId);
    await operators.forget(userId);
  };
}
