import { limits } from './limits.ts';

/** Letters of ASCII, digits, and single dots and underscores between them: nothing of another script can be taken for one. */
const shape = /^[a-z][a-z0-9]*(?:[._][a-z0-9]+)*$/;

/** What stands for all that looks alike, so that one of them is somebody's and no other can be. */
export function usernameSkeleton(username: string): string {
  return username
    .replace(/[._]/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** What speaks for the installation, or for nobody. */
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
  ].map(usernameSkeleton),
);

/** A username as it is kept, in lower case; undefined where it cannot be one. An @ before it is how people write it. */
export function readUsername(typed: string): string | undefined {
  const username = typed.trim().replace(/^@/, '').toLowerCase();
  const { length } = username;
  const fits = length >= limits.usernameLengthMin && length <= limits.usernameLengthMax;
  return fits && shape.test(username) && !reserved.has(usernameSkeleton(username)) ? username : undefined;
}
