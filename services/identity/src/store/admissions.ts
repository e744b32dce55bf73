import type { Knex } from '@nolo/kit/db';
import type { RegistrationPolicy } from '@nolo/rules';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';

/** Person without an account, and what entitles them to one. */
export interface RegistrationCandidate {
  phoneNumber?: string;
  /** Email address verified by a provider. */
  verifiedEmail?: string | null;
  /** Hash of the token of an email invitation. */
  invitationHash?: Buffer | undefined;
}

/** Returns whether a person may create an account. Uses up their invitation. */
export async function admitRegistration(
  trx: Knex,
  registration: RegistrationPolicy,
  { phoneNumber, verifiedEmail, invitationHash }: RegistrationCandidate,
  now: Date,
): Promise<boolean> {
  if (registration === 'closed') return false;
  const keys = verifiedEmail ? [normalizeMailAddress(verifiedEmail)] : [];
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

/** Returns true if anyone has the number in their contacts. */
async function isExpected(trx: Knex, phoneNumber: string): Promise<boolean> {
  const invitation: unknown = await trx('contacts as c')
    .whereIn('c.phone_number', listStoredForms(phoneNumber))
    .whereNotExists(trx('closures').whereRaw('closures.user_id = c.owner_id'))
    .first('c.owner_id');
  return invitation !== undefined;
}
