import { parseId } from '@nolo/kit/ids';

/** Returns our order ID, or null. The owner of the gateway account may sell other things there under foreign IDs. */
export const parseOwnOrderId = (id: string | undefined): string | null =>
  id === undefined ? null : (parseId(id) ?? null);
