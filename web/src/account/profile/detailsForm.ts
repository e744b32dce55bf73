import type { Self } from '@nolo/api';

/** What one tells of oneself in words. */
export type Details = Pick<Self, 'firstName' | 'lastName' | 'statusMessage'>;

export function detailsOf({ firstName, lastName, statusMessage }: Details): Details {
  return { firstName, lastName, statusMessage };
}

/** Whether edits are, letter by letter, what the account has already. */
export function isUnchanged(before: Details, { firstName, lastName, statusMessage }: Partial<Details>): boolean {
  return (
    (firstName ?? before.firstName) === before.firstName &&
    (lastName ?? before.lastName) === before.lastName &&
    (statusMessage ?? before.statusMessage) === before.statusMessage
  );
}

/** Only what differs, trimmed as the server does it; null where nothing does. */
export function detailsChange(before: Details, after: Details): Partial<Details> | null {
  const change: Partial<Details> = {};
  for (const name of ['firstName', 'lastName', 'statusMessage'] as const) {
    const value = after[name].trim();
    if (value !== before[name]) change[name] = value;
  }
  return Object.keys(change).length === 0 ? null : change;
}
