import {
  AsYouType,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/min';
import { countryOfLocale } from './countryOfLocale.ts';

/*
 * Parses and formats phone numbers for display only: the server parses them again with full data. Loads when a phone
 * field first shows (loadPhoneNumberModule.ts).
 */

/** Country with its calling code, such as 27. */
export interface PhoneCountry {
  readonly code: string;
  readonly callingCode: string;
}

export const phoneCountries: readonly PhoneCountry[] = getCountries().map((code) => ({
  code,
  callingCode: getCountryCallingCode(code),
}));

/** Returns the country, or the user's most likely one if null. */
function here(country: string | null): string {
  return country ?? countryOfLocale(navigator.languages);
}

function supported(country: string | null): CountryCode | undefined {
  const code = here(country);
  return isSupportedCountry(code) ? code : undefined;
}

/** Replaces the international prefix 00 with the plus. */
function withPlus(typed: string): string {
  return typed.trim().replace(/^00/, '+');
}

function isInternational(typed: string): boolean {
  return withPlus(typed).startsWith('+');
}

/** Formats partial input with the usual spaces. */
export function formatTyped(typed: string, country: string | null): string {
  return new AsYouType(supported(country)).input(withPlus(typed));
}

/** Returns the country of the input: that of its calling code, otherwise the one it is dialed in. */
export function countryOfTyped(typed: string, country: string | null): string {
  const chosen = here(country);
  if (!isInternational(typed)) return chosen;
  const reader = new AsYouType();
  reader.input(withPlus(typed));
  const callingCode = reader.getCallingCode();
  if (callingCode === undefined) return chosen;
  const named = reader.getCountry();
  if (named !== undefined) return named;
  // Several countries share a code. The chosen one stays if it is among them.
  const sharing = phoneCountries.filter((one) => one.callingCode === callingCode);
  return sharing.some(({ code }) => code === chosen) ? chosen : (sharing[0]?.code ?? chosen);
}

/** Converts a number to another chosen country, without the previous calling code. */
export function changeCountry(typed: string, country: string | null): string {
  if (!isInternational(typed)) return formatTyped(typed, country);
  const reader = new AsYouType();
  reader.input(withPlus(typed));
  return formatTyped(reader.getNumber()?.nationalNumber ?? '', country);
}

/** Returns the number in E.164, or undefined if it is too short, too long, or invalid. */
export function readTyped(typed: string, country: string | null): string | undefined {
  const number = parsePhoneNumberFromString(withPlus(typed), supported(country));
  return number?.isPossible() === true ? number.number : undefined;
}

export function readableNumber(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}
