import { getDateFormat } from '../../i18n/dates.ts';

/** Moment of a local time on a day of a clock change. The server computes it the same way. */
export interface WallTime {
  at: Date;
  /** `skipped`: the clocks are put forward over it. `repeated`: it occurs twice, and the first is used. */
  shift: 'none' | 'skipped' | 'repeated';
}

const dayMs = 86_400_000;

/** Returns the local time of a zone at a moment, as the same digits in UTC. */
function shownAt(at: number, timeZone: string): number {
  const timeFields = getDateFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const fieldValue = (type: Intl.DateTimeFormatPartTypes) => Number(timeFields.find((one) => one.type === type)?.value);
  return Date.UTC(
    fieldValue('year'),
    fieldValue('month') - 1,
    fieldValue('day'),
    fieldValue('hour'),
    fieldValue('minute'),
  );
}

/**
 * Returns the moment of a local time, such as 2027-03-28T02:30, in an IANA time zone. Returns null if it is invalid or
 * the browser does not know the zone.
 */
export function resolveWallTime(local: string, timeZone: string): WallTime | null {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return null;
  try {
    // Clocks change at most once in two days, so the offsets before and after are tried.
    const offsets = [wanted - dayMs, wanted + dayMs].map((at) => shownAt(at, timeZone) - at);
    const [earlier = wanted, later = wanted] = offsets.map((offset) => wanted - offset);
    const found = [...new Set([earlier, later])].filter((at) => shownAt(at, timeZone) === wanted);
    if (found.length === 0) return { at: new Date(earlier), shift: 'skipped' };
    return { at: new Date(Math.min(...found)), shift: found.length > 1 ? 'repeated' : 'none' };
  } catch {
    return null;
  }
}
