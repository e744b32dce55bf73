import { parseId } from '@nolo/kit/ids';

/** Whoever owns the account at the gateway may sell other things there too, under ids that are none of ours. */
export const ourOrder = (id: string | undefined): string | null => (id === undefined ? null : (parseId(id) ?? null));
