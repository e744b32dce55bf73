import { createHash, timingSafeEqual } from 'node:crypto';

export type FormFields = readonly (readonly [name: string, value: string])[];

/**
 * Encodes like PHP's urlencode, which PayFast signs with: a space becomes +, and of all punctuation only - _ and .
 * stay, so ! ' ( ) * and ~ are percent-encoded, too.
 */
function encode(value: string): string {
  return encodeURIComponent(value)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** Joins fields like PayFast, in their order. */
export const joinSignedParameters = (fields: FormFields): string =>
  fields.map(([name, value]) => `${name}=${encode(value)}`).join('&');

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Signs a form: its nonempty fields in the documented order, followed by the passphrase. */
export const signForm = (fields: FormFields, passphrase: string): string =>
  md5(joinSignedParameters([...fields.filter(([, value]) => value !== ''), ['passphrase', passphrase]]));

/** Signs a notification: all fields before the signature, including empty ones, in the order received. */
export const signNotification = (fields: FormFields, passphrase: string): string =>
  md5(joinSignedParameters([...fields, ['passphrase', passphrase]]));

/** Signs an API call: headers, query, body and the passphrase, sorted by name. */
export const signCall = (fields: FormFields, passphrase: string): string =>
  md5(joinSignedParameters([...fields, ['passphrase', passphrase] as const].toSorted(([a], [b]) => (a < b ? -1 : 1))));

export function isSameSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
