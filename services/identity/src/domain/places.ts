import type { GeoPlace } from '@nolo/rules';

/** Finds the location of an address. Undefined if unknown or not located anywhere, like private addresses. */
export type LocateIpAddress = (address: string) => GeoPlace | undefined;

const longestCity = 100;

/** Reads a record of a city or country database (GeoIP2, GeoLite2, DB-IP). */
export function readGeoRecord(record: unknown): GeoPlace | undefined {
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

/** Builds a location from its two stored columns. */
export const toGeoPlace = ({ country, city }: { country: string | null; city: string | null }): GeoPlace | undefined =>
  country === null ? undefined : { country, ...(city !== null && { city }) };
