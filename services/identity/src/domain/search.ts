import { cleanName, cutText, foldText, normalizeUsername } from '@nolo/rules';
import type { SearchTerm } from './peoplePorts.ts';
import { parsePhoneNumber } from './phoneNumbers.ts';

export interface SearchPlan {
  /** Part of a contact's name, or the beginning of a discoverable person's name. */
  name: SearchTerm;
  /** Complete number in E.164. */
  phoneNumber?: string;
  /** Complete username that was typed with an @. */
  username?: string;
  /** Complete email address in lower case. */
  email?: string;
}

const minSearchLength = 2;

/** Parses a search. Undefined if it is too short. */
export function parseSearch(query: string, longest: number): SearchPlan | undefined {
  const written = cutText(cleanName(query), longest, 'codePoints').toLowerCase();
  const name = { folded: foldText(written), written };
  if ([...name.folded].length < minSearchLength) return undefined;
  const username = written.startsWith('@') ? normalizeUsername(written) : undefined;
  if (username !== undefined) return { name, username };
  if (/^\S+@\S+\.\S+$/.test(written)) return { name, email: written };
  const phoneNumber = /^[+0]/.test(written) ? parsePhoneNumber(written) : undefined;
  return phoneNumber ? { name, phoneNumber } : { name };
}
