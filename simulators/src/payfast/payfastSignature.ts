import { createHash } from 'node:crypto';

export type Fields = readonly (readonly [name: string, value: string])[];

/**
 * Encodes like PHP's urlencode: spaces as +, and everything but letters, digits, - _ and . in uppercase hexadecimal.
 */
const encode = (value: string): string =>
  encodeURIComponent(value)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

export const parameterString = (fields: Fields): string =>
  fields.map(([name, value]) => `${name}=${encode(value)}`).join('&');

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Signs a form: non-empty fields in the order received. */
export const signForm = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields.filter(([, value]) => value !== ''), ['passphrase', passphrase]]));

/** Signs a notification: all fields, including empty ones. */
export const signNotification = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields, ['passphrase', passphrase]]));

/** Signs an API call: headers, query and body sorted by name, including the passphrase. */
export const signCall = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields, ['passphrase', passphrase] as const].toSorted(([a], [b]) => (a < b ? -1 : 1))));
