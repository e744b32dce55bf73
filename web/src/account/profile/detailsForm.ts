import type { Self } from '@nolo/api';

/** Text that users enter about themselves. */
export type ProfileDetails = Pick<Self, 'firstName' | 'lastName' | 'statusMessage'>;

export function toProfileDetails({ firstName, lastName, statusMessage }: ProfileDetails): ProfileDetails {
  return { firstName, lastName, statusMessage };
}

/** Returns true if edits are identical to the account's values, letter by letter. */
export function isProfileUnchanged(
  before: ProfileDetails,
  { firstName, lastName, statusMessage }: Partial<ProfileDetails>,
): boolean {
  return (
    (firstName ?? before.firstName) === before.firstName &&
    (lastName ?? before.lastName) === before.lastName &&
    (statusMessage ?? before.statusMessage) === before.statusMessage
  );
}

/** Returns only the differences, trimmed as the server does; null if there are no differences. */
export function diffProfileDetails(before: ProfileDetails, after: ProfileDetails): Partial<ProfileDetails> | null {
  const change: Partial<ProfileDetails> = {};
  for (const name of ['firstName', 'lastName', 'statusMessage'] as const) {
    const value = after[name].trim();
    if (value !== before[name]) change[name] = value;
  }
  return Object.keys(change).length === 0 ? null : change;
}
