import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Longer input is no number, whatever stands in it; ITU-T E.164 allows 15 digits. */
const longestInput = 40;

/**
 * Reads a number as people type it, with its country code, and answers in E.164. Undefined for what no
 * numbering plan knows, for numbers without a country code, and for numbers with an extension, which can
 * receive no message.
 */
export function parsePhoneNumber(input: string): string | undefined {
  const trimmed = input.trim();
  if (trimmed === '' || trimmed.length > longestInput) return undefined;
  // 00 is how most of the world dials what is written as +.
  const parsed = parsePhoneNumberFromString(trimmed.replace(/^00/, '+'), { extract: false });
  return parsed?.isValid() && !parsed.ext ? parsed.number : undefined;
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
