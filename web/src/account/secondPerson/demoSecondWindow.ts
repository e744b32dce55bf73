import { demoSecondPersonPath } from '../../shell/knownPaths.ts';

/*
 * Gives a user who tries Nolo alone, on their own machine, a second person in a second window. Windows of a browser
 * share a host's cookies across ports, so the second one opens under the other name of the same machine.
 */

export const demoSecondPersonName = { firstName: 'Sam', lastName: 'Rivers' };

/** Area codes of the United States; in each, the numbers from 555-0100 to 555-0199 are unassigned. */
const areas = [202, 213, 305, 312, 415, 512, 617, 713];

/** Returns the number of a user's second person, always the same. */
export function getDemoSecondPersonNumber(userId: string): string {
  let hash = 0;
  for (const character of userId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  const area = areas[hash % areas.length] ?? 202;
  return `+1${area}55501${String(Math.floor(hash / areas.length) % 100).padStart(2, '0')}`;
}

/** Returns the other name of this machine; null if the page does not come from this machine. */
export function alternativeHostname(hostname: string): string | null {
  if (hostname === 'localhost') return '127.0.0.1';
  return hostname === '127.0.0.1' || hostname === '[::1]' ? 'localhost' : null;
}

type Place = Pick<Location, 'protocol' | 'hostname' | 'port'>;

/** Returns the address of the second window; null if none is possible. */
export function getDemoSecondWindowAddress({ protocol, hostname, port }: Place, userId: string): string | null {
  const other = alternativeHostname(hostname);
  if (other === null) return null;
  const host = port === '' ? other : `${other}:${port}`;
  const parameters = new URLSearchParams({ with: userId, number: getDemoSecondPersonNumber(userId) });
  return `${protocol}//${host}${demoSecondPersonPath}#${parameters}`;
}

/** Reads the user to talk to and the number to sign in with; null if the address does not contain them. */
export function parseDemoSecondWindowHash(hash: string): { withId: string; number: string } | null {
  const parameters = new URLSearchParams(hash.slice(1));
  const withId = parameters.get('with') ?? '';
  const number = parameters.get('number') ?? '';
  return /^[0-9a-f-]{36}$/.test(withId) && number === getDemoSecondPersonNumber(withId) ? { withId, number } : null;
}
