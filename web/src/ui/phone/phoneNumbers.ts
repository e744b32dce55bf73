import type { CountryCode } from 'libphonenumber-js/min';
import {
  AsYouType,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { countryOfLocale } from './countryOfLocale.ts';

/*
 * Reading and writing phone numbers, for the screen alone: the server reads them again with all it knows. Loaded once a
 * field for a number shows (loadPhoneNumbers.ts).
 */

/** A country with the digits that stand for it behind the plus, such as 27. */
export interface PhoneCountry {
  readonly code: string;
  readonly callingCode: string;
}

export const phoneCountries: readonly PhoneCountry[] = getCountries().map((code) => ({
  code,
  callingCode: getCountryCallingCode(code),
}));

/** Null is where somebody most likely dials. */
function here(country: string | null): string {
  return country ?? countryOfLocale(navigator.languages);
}

function supported(country: string | null): CountryCode | undefined {
  const code = here(country);
  return isSupportedCountry(code) ? code : undefined;
}

/** Abroad 00 is what the plus stands for; people type either. */
function withPlus(typed: string): string {
  return typed.trim().replace(/^00/, '+');
}

function isInternational(typed: string): boolean {
  return withPlus(typed).startsWith('+');
}

/** What was typed so far, with the spaces that are usual there. */
export function formatTyped(typed: string, country: string | null): string {
  return new AsYouType(supported(country)).input(withPlus(typed));
}

/** The country of what was typed: the one that its calling code names, else the one it is dialled in. */
export function countryOfTyped(typed: string, country: string | null): string {
  const chosen = here(country);
  if (!isInternational(typed)) return chosen;
  const reader = new AsYouType();
  reader.input(withPlus(typed));
  const callingCode = reader.getCallingCode();
  if (callingCode === undefined) return chosen;
  const named = reader.getCountry();
  if (named !== undefined) return named;
  // Several share a code; the one that was chosen stays as long as it is one of them.
  const sharing = phoneCountries.filter((one) => one.callingCode === callingCode);
  return sharing.some(({ code }) => code === chosen) ? chosen : (sharing[0]?.code ?? chosen);
}

/** The same number as it is dialled in another country that was chosen, without the calling code of the one before. */
export function movedTo(typed: string, country: string | null): string {
  if (!isInternational(typed)) return formatTyped(typed, country);
  const reader = new AsYouType();
  reader.input(withPlus(typed));
  return formatTyped(reader.getNumber()?.nationalNumber ?? '', country);
}

/** In E.164, or undefined for what is too short, too long or no number. */
export function readTyped(typed: string, country: string | null): string | undefined {
  const number = parsePhoneNumberFromString(withPlus(typed), supported(country));
  return number?.isPossible() === true ? number.number : undefined;
}

/** A number in E.164 with spaces. */
export function readableNumber(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}
