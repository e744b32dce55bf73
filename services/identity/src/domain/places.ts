import type { Place } from '@nolo/rules';

/** Where an address is; undefined where that is not known, and of those that are in no place, as private ones. */
export type PlaceOf = (address: string) => Place | undefined;

const longestCity = 100;

/** What a record of a database of cities or countries (GeoIP2, GeoLite2, DB-IP) says of it. */
export function readPlace(record: unknown): Place | undefined {
  const {
    country,
    registered_country: registered,
    city,
  } = (record ?? {}) as {
    country?: { iso_code?: unknown };
    registered_country?: { iso_code?: unknown };
    city?: { names?: { en?: unknown } };
  };
  const code = country?.iso_code ?? registered?.iso_code;
  if (typeof code !== 'string' || !/^[A-Z]{2}$/.test(code)) return undefined;
  const name = city?.names?.en;
  const isName = typeof name === 'string' && name !== '' && name.length <= longestCity;
  return isName ? { country: code, city: name } : { country: code };
}

/** As it is kept: two columns. */
export const placeIn = ({ country, city }: { country: string | null; city: string | null }): Place | undefined =>
  country === null ? undefined : { country, ...(city !== null && { city }) };
