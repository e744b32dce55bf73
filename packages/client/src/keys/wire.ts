import { Refusal, toHex, type Bytes, type Statement } from '@nolo/e2ee';
import { fromText, toText } from '../content/base64Url.ts';

/* Forms of bytes in requests and in keys of the storage. */

export { fromText, toText };

interface Signed {
  readonly body: string;
  readonly signature: string;
}

export const toSigned = ({ body, signature }: Statement): Signed => ({
  body: toText(body),
  signature: toText(signature),
});

export const fromSigned = ({ body, signature }: Signed): Statement => ({
  body: fromText(body),
  signature: fromText(signature),
});

/** Reads base64url, or returns null for null. */
export const fromTextOrNull = (text: string | null): Bytes | null => (text === null ? null : fromText(text));

/** Names bytes in keys of the storage and of maps. */
export const nameOf = (bytes: Uint8Array): string => toHex(bytes);

/** Most pages of one list; no honest server has as many. */
const maxPages = 1_000;

/** @throws Refusal `malformed` once a list has too many pages */
export function assertEnds(page: number): void {
  if (page >= maxPages) throw new Refusal('malformed', 'a list without an end');
}

/** Writes a number so that texts sort as numbers do. */
export const padNumber = (number: number): string => String(number).padStart(16, '0');
