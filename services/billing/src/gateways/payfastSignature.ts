import { createHash, timingSafeEqual } from 'node:crypto';

export type Fields = readonly (readonly [name: string, value: string])[];

/**
 * As PHP's urlencode, which PayFast signs with: a space becomes +, and of all signs only - _ and . stay, so that ! ' ( ) *
 * and ~ are written in hexadecimal too.
 */
function encode(value: string): string {
  return encodeURIComponent(value)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** Fields as PayFast strings them together, in their order. */
export const parameterString = (fields: Fields): string =>
  fields.map(([name, value]) => `${name}=${encode(value)}`).join('&');

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Of a form: the fields that are filled in, in the documented order, and the passphrase behind them. */
export const signForm = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields.filter(([, value]) => value !== ''), ['passphrase', passphrase]]));

/** Of a notification: all fields before the signature, the empty ones too, in the order in which they came. */
export const signNotification = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields, ['passphrase', passphrase]]));

/** Of a call of the API: headers, query and body together with the passphrase, by the alphabet of their names. */
export const signCall = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields, ['passphrase', passphrase] as const].toSorted(([a], [b]) => (a < b ? -1 : 1))));

export function sameSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
