import { readUsername } from '@nolo/rules';
import { cutText } from './names.ts';
import { parsePhoneNumber } from './phoneNumbers.ts';

export interface SearchPlan {
  /** Lower case; a part of a contact's name, or the beginning of a discoverable person's. */
  name: string;
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
  const name = cutText(query, longest).toLowerCase();
  if ([...name].length < shortestQuery) return undefined;
  const username = name.startsWith('@') ? readUsername(name) : undefined;
  if (username !== undefined) return { name, username };
  if (/^\S+@\S+\.\S+$/.test(name)) return { name, email: name };
  const phoneNumber = /^[+0]/.test(name) ? parsePhoneNumber(name) : undefined;
  return phoneNumber ? { name, phoneNumber } : { name };
}
