import { dateFormat } from '../../i18n/dates.ts';

/** What becomes of a time on the wall on a day when the clocks are changed; the server does the same. */
export interface WallTime {
  at: Date;
  /** `skipped` where the clocks are put forward over it, `repeated` where it comes twice and the first is meant. */
  shift: 'none' | 'skipped' | 'repeated';
}

const dayMs = 86_400_000;

/** What the clock on the wall of a zone shows at a moment, as the same figures in UTC. */
function shownAt(at: number, timeZone: string): number {
  const parts = dateFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
}

/**
 * The moment of a time on the wall, such as 2027-03-28T02:30, in an IANA time zone; null where it is no time, or the browser
 * does not know the zone.
 */
export function wallTime(local: string, timeZone: string): WallTime | null {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return null;
  try {
    // Clocks are changed at most once in two days; what is right on one side of that is tried.
    const offsets = [wanted - dayMs, wanted + dayMs].map((at) => shownAt(at, timeZone) - at);
    const [earlier = wanted, later = wanted] = offsets.map((offset) => wanted - offset);
    const found = [...new Set([earlier, later])].filter((at) => shownAt(at, timeZone) === wanted);
    if (found.length === 0) return { at: new Date(earlier), shift: 'skipped' };
    return { at: new Date(Math.min(...found)), shift: found.length > 1 ? 'repeated' : 'none' };
  } catch {
    return null;
  }
}
