import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Maximum input length. ITU-T E.164 allows 15 digits. */
const longestInput = 40;

/** Mexican mobile numbers had a leading 1 until 2019; the ten digits after it are the number. */
const oldMexican = /^\+521(\d{10})$/;
/** Argentine mobile numbers have a leading 9 when called from abroad, and many people omit it. */
const argentine = /^\+54(?!9)(\d{10})$/;
const argentineMobile = /^\+549(\d{10})$/;

const read = (text: string) => parsePhoneNumberFromString(text, { extract: false });

/**
 * Parses a typed number with its country code and returns its single form in E.164. Returns undefined for numbers that
 * no numbering plan knows, that lack a country code, or that have an extension and so cannot receive messages.
 *
 * Two notations count as one number only if a numbering plan says so for every number. Brazil's ninth digit does not
 * qualify: eight-digit numbers that begin with 7 exist alongside those with a leading 9 and belong to other people.
 */
export function parsePhoneNumber(input: string): string | undefined {
  const trimmed = input.trim();
  if (trimmed === '' || trimmed.length > longestInput) return undefined;
  // Most of the world dials + as 00.
  const typed = read(trimmed.replace(/^00/, '+'));
  const parsed = typed && oldMexican.test(typed.number) ? read(typed.number.replace(oldMexican, '+52$1')) : typed;
  if (!parsed?.isValid() || parsed.ext) return undefined;
  const mobile = argentine.test(parsed.number) ? read(parsed.number.replace(argentine, '+549$1')) : undefined;
  return mobile?.isValid() ? mobile.number : parsed.number;
}

/**
 * Returns the forms under which a parsed number may be stored, the canonical one first. Earlier releases stored some
 * numbers as typed.
 */
export function listStoredForms(phoneNumber: string): string[] {
  return argentineMobile.test(phoneNumber)
    ? [phoneNumber, phoneNumber.replace(argentineMobile, '+54$1')]
    : [phoneNumber];
}

/**
 * Returns the prefix by which SMS pumping is detected, because attackers rent numbers in blocks. Ten thousand numbers
 * share a prefix, few enough that one attacked block does not lock out a country.
 */
export function getNumberPrefix(e164: string): string {
  return e164.slice(0, -4);
}

/**
 * Returns the country of a number (ISO 3166), or the calling code if several countries share it and the country is
 * unclear.
 */
export function countryOf(e164: string): string {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed?.country ?? parsed?.countryCallingCode ?? 'unknown';
}
