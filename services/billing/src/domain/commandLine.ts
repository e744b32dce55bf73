import { parseId, type UserId } from '@nolo/kit/ids';

/** Who did it, in the audit, where it was no account: whoever holds the installation, at its command line. */
export const commandLine = parseId<UserId>('00000000-0000-0000-0000-000000000000') as UserId;
