import { cleanName, cutText, foldText, readUsername } from '@nolo/rules';
import type { SearchedName } from './peoplePorts.ts';
import { parsePhoneNumber } from './phoneNumbers.ts';

export interface SearchPlan {
  /** A part of a contact's name, or the beginning of a discoverable person's. */
  name: SearchedName;
  /** A whole number, in E.164. */
  phoneNumber?: string;
  /** A whole username, which was typed with an @. */
  username?: string;
  /** A whole mail address, in lower case. */
  email?: string;
}

export const shortestQuery = 2;

/** Reads what a search is after; undefined where it is too short to be after anything. */
export function planSearch(query: string, longest: number): SearchPlan | undefined {
  const written = cutText(cleanName(query), longest, 'codePoints').toLowerCase();
  const name = { folded: foldText(written), written };
  if ([...name.folded].length < shortestQuery) return undefined;
  const username = written.startsWith('@') ? readUsername(written) : undefined;
  if (username !== undefined) return { name, username };
  if (/^\S+@\S+\.\S+$/.test(written)) return { name, email: written };
  const phoneNumber = /^[+0]/.test(written) ? parsePhoneNumber(written) : undefined;
  return phoneNumber ? { name, phoneNumber } : { name };
}
