import type { Knex } from '@nolo/kit/db';
import type { Registration } from '@nolo/rules';
import { mailKey } from '../domain/mailAddresses.ts';
import { storedForms } from '../domain/phoneNumbers.ts';

/** What somebody brings who has no account. */
export interface Newcomer {
  phoneNumber?: string;
  /** A provider vouches for it. */
  verifiedEmail?: string | null;
  /** A hash of the token of an invitation by mail. */
  invitationHash?: Buffer | undefined;
}

/** Whether somebody gets an account who has none. The invitation that they came by is used up. */
export async function admit(
  trx: Knex,
  registration: Registration,
  { phoneNumber, verifiedEmail, invitationHash }: Newcomer,
  now: Date,
): Promise<boolean> {
  if (registration === 'closed') return false;
  const keys = verifiedEmail ? [mailKey(verifiedEmail)] : [];
  const hashes = invitationHash ? [invitationHash] : [];
  if (keys.length + hashes.length > 0) {
    const used = await trx('mail_invitations')
      .where((either) => void either.whereIn('email_key', keys).orWhereIn('token_hash', hashes))
      .where('expires_at', '>', now)
      .delete();
    if (used > 0) return true;
  }
  if (registration === 'open') return true;
  return phoneNumber !== undefined && isExpected(trx, phoneNumber);
}

/** Whether somebody has the number among their contacts. */
async function isExpected(trx: Knex, phoneNumber: string): Promise<boolean> {
  const invitation: unknown = await trx('contacts as c')
    .whereIn('c.phone_number', storedForms(phoneNumber))
    .whereNotExists(trx('closures').whereRaw('closures.user_id = c.owner_id'))
    .first('c.owner_id');
  return invitation !== undefined;
}
