import { createHash } from 'node:crypto';

export type Fields = readonly (readonly [name: string, value: string])[];

/** As PHP's urlencode writes it: spaces as +, and everything but letters, digits, - _ and . in hexadecimal capitals. */
const encode = (value: string): string =>
  encodeURIComponent(value)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

export const parameterString = (fields: Fields): string =>
  fields.map(([name, value]) => `${name}=${encode(value)}`).join('&');

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Of a form: what is filled in, in the order in which it came. */
export const signForm = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields.filter(([, value]) => value !== ''), ['passphrase', passphrase]]));

/** Of a notification: all fields, the empty ones too. */
export const signNotification = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields, ['passphrase', passphrase]]));

/** Of a call of the API: headers, query and body by the names' alphabet, the passphrase among them. */
export const signCall = (fields: Fields, passphrase: string): string =>
  md5(parameterString([...fields, ['passphrase', passphrase] as const].toSorted(([a], [b]) => (a < b ? -1 : 1))));
