import type { Self } from '@nolo/api';

/** Text that users enter about themselves. */
export type Details = Pick<Self, 'firstName' | 'lastName' | 'statusMessage'>;

export function detailsOf({ firstName, lastName, statusMessage }: Details): Details {
  return { firstName, lastName, statusMessage };
}

/** Returns true if edits are identical to the account's values, letter by letter. */
export function isUnchanged(before: Details, { firstName, lastName, statusMessage }: Partial<Details>): boolean {
  return (
    (firstName ?? before.firstName) === before.firstName &&
    (lastName ?? before.lastName) === before.lastName &&
    (statusMessage ?? before.statusMessage) === before.statusMessage
  );
}

/** Returns only the differences, trimmed as the server does; null if there are no differences. */
export function detailsChange(before: Details, after: Details): Partial<Details> | null {
  const change: Partial<Details> = {};
  for (const name of ['firstName', 'lastName', 'statusMessage'] as const) {
    const value = after[name].trim();
    if (value !== before[name]) change[name] = value;
  }
  return Object.keys(change).length === 0 ? null : change;
}
