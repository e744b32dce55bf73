import { DateTime } from 'luxon';

/** A reservation of which nothing is heard any more is given back after so long. */
export const reservedMs = 6 * 3_600_000;

/** The calendar month in somebody's time zone, as 2026-11; that of UTC where the zone is not known. */
export function monthIn(timeZone: string, now: Date): string {
  const at = DateTime.fromJSDate(now, { zone: timeZone });
  return (at.isValid ? at : DateTime.fromJSDate(now, { zone: 'UTC' })).toFormat('yyyy-MM');
}
