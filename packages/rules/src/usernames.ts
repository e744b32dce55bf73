import { limits } from './limits.ts';

/** ASCII letters, digits, and single dots and underscores between them: nothing of another script can imitate it. */
const shape = /^[a-z][a-z0-9]*(?:[._][a-z0-9]+)*$/;

/** Returns the representative of all similar-looking usernames, so that only one of them can be taken. */
export function toUsernameSkeleton(username: string): string {
  return username
    .replace(/[._]/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** Names that suggest the installation itself, or no user. */
const reserved: ReadonlySet<string> = new Set(
  [
    'abuse',
    'admin',
    'administrator',
    'anonymous',
    'everyone',
    'help',
    'hostmaster',
    'info',
    'moderator',
    'nolo',
    'null',
    'official',
    'operator',
    'postmaster',
    'root',
    'security',
    'staff',
    'support',
    'system',
    'team',
    'undefined',
    'webmaster',
  ].map(toUsernameSkeleton),
);

/** Normalizes a username to lower case; undefined if invalid. Accepts a leading @, as users write it. */
export function normalizeUsername(typed: string): string | undefined {
  const username = typed.trim().replace(/^@/, '').toLowerCase();
  const { length } = username;
  const fits = length >= limits.usernameLengthMin && length <= limits.usernameLengthMax;
  return fits && shape.test(username) && !reserved.has(toUsernameSkeleton(username)) ? username : undefined;
}
