import { DateTime, IANAZone } from 'luxon';

/** Chosen time as an instant and as local time in a zone. */
export interface ChosenTime {
  readonly at: Date;
  readonly local: string;
  readonly zone: string;
}

/**
 * Parses a local time in its zone, or an instant with an offset, such as 2027-03-28T00:30:00Z, which is shown in the
 * zone or else in UTC.
 */
export function parseChosenTime(given: string, zone: string): ChosenTime | LocalTimeFault {
  if (!/(?:z|[+-]\d\d:?\d\d)$/i.test(given)) {
    const found = toInstant(given, zone);
    return typeof found === 'string' ? found : { at: found.at, local: given, zone };
  }
  const shownIn = zone === '' ? 'UTC' : zone;
  if (!IANAZone.isValidZone(shownIn)) return 'time_zone_unknown';
  const there = DateTime.fromISO(given, { zone: shownIn });
  if (!there.isValid || there.year < 1970 || there.year > 9_999) return 'time_invalid';
  return { at: there.toJSDate(), local: there.toFormat("yyyy-MM-dd'T'HH:mm"), zone: shownIn };
}

/** Reason why a local time is not an instant. */
export type LocalTimeFault = 'time_zone_unknown' | 'time_invalid';

export interface ScheduledTime {
  readonly at: Date;
  /**
   * Adjustment of the time. `skipped`: clocks moved forward over it, so it is later by the same amount; `repeated`:
   * clocks moved back and it occurs twice, so the first occurrence is used.
   */
  readonly shift: 'none' | 'skipped' | 'repeated';
}

/**
 * Converts a local time, such as 2027-03-28T02:30, in an IANA time zone to an instant.
 *
 * @throws nothing; an invalid time returns its fault.
 */
export function toInstant(local: string, zone: string): ScheduledTime | LocalTimeFault {
  if (!IANAZone.isValidZone(zone)) return 'time_zone_unknown';
  const wanted = DateTime.fromISO(local, { zone: 'utc' });
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(local) || !wanted.isValid) return 'time_invalid';
  const there = wanted.setZone(zone, { keepLocalTime: true });
  const both = there.getPossibleOffsets();
  const [first = there] = both;
  const at = (both.length > 1 ? first : there).toJSDate();
  if (there.hour !== wanted.hour || there.minute !== wanted.minute) return { at, shift: 'skipped' };
  return { at, shift: both.length > 1 ? 'repeated' : 'none' };
}
