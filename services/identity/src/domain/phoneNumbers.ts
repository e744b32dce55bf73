import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Longer input is no number, whatever stands in it; ITU-T E.164 allows 15 digits. */
const longestInput = 40;

/** Mexico wrote a 1 before mobile numbers until 2019; the ten digits behind it are the number. */
const oldMexican = /^\+521(\d{10})$/;
/** Argentina writes a 9 before mobile numbers that are called from abroad, and many people leave it out. */
const argentine = /^\+54(?!9)(\d{10})$/;
const argentineMobile = /^\+549(\d{10})$/;

const read = (text: string) => parsePhoneNumberFromString(text, { extract: false });

/**
 * Reads a number as people type it, with its country code, and returns its one form in E.164. Returns undefined for what no
 * numbering plan knows, for numbers without a country code, and for numbers with an extension, which can
 * receive no message.
 *
 * Two ways of writing are one number only where a numbering plan says so for every number. It does not for the ninth digit
 * of Brazil: numbers of eight digits that begin with 7 exist beside those with a 9 before them, and belong to other people.
 */
export function parsePhoneNumber(input: string): string | undefined {
  const trimmed = input.trim();
  if (trimmed === '' || trimmed.length > longestInput) return undefined;
  // 00 is how most of the world dials what is written as +.
  const typed = read(trimmed.replace(/^00/, '+'));
  const parsed = typed && oldMexican.test(typed.number) ? read(typed.number.replace(oldMexican, '+52$1')) : typed;
  if (!parsed?.isValid() || parsed.ext) return undefined;
  const mobile = argentine.test(parsed.number) ? read(parsed.number.replace(argentine, '+549$1')) : undefined;
  return mobile?.isValid() ? mobile.number : parsed.number;
}

/** The forms under which a number that was parsed may be stored, its own first: earlier releases kept others as typed. */
export function storedForms(phoneNumber: string): string[] {
  return argentineMobile.test(phoneNumber)
    ? [phoneNumber, phoneNumber.replace(argentineMobile, '+54$1')]
    : [phoneNumber];
}

/**
 * What SMS pumping has in common: numbers rented in blocks. Ten thousand neighbours share a prefix, few
 * enough that one attacked block does not lock a whole country out.
 */
export function numberPrefix(e164: string): string {
  return e164.slice(0, -4);
}

/** The country that a number belongs to (ISO 3166), or where several share a code and it cannot be told, that code. */
export function countryOf(e164: string): string {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed?.country ?? parsed?.countryCallingCode ?? 'unknown';
}
