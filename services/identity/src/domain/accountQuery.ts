import { parseId, type UserId } from '@nolo/kit/ids';
import { normalizeUsername } from '@nolo/rules';
import type { AccountQuery } from './operatorPorts.ts';
import { parsePhoneNumber } from './phoneNumbers.ts';

/** Maximum length of an email address (RFC 5321, section 4.5.3.1.3). */
const longest = 254;

/**
 * Parses an operator's input as an ID, a number, an email address, or else a username. Undefined if it can be none of
 * them.
 */
export function readAccountQuery(typed: string): AccountQuery | undefined {
  const text = typed.trim();
  if (text === '' || text.length > longest || text.includes('\0')) return undefined;
  const id = parseId<UserId>(text);
  if (id) return { by: 'id', id };
  const phoneNumber = parsePhoneNumber(text);
  if (phoneNumber) return { by: 'number', phoneNumber };
  if (/^\S+@\S+$/.test(text)) return { by: 'mail', email: text };
  const username = normalizeUsername(text);
  return username === undefined ? undefined : { by: 'username', username };
}
