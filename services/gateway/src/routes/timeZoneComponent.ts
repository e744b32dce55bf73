/**
 * Builds the time zone data (RFC 5545, VTIMEZONE) that a calendar needs to keep a local hour across daylight saving
 * time.
 */

const dayMs = 86_400_000;
/** Shorter than any daylight saving period in use. */
const stepMs = 7 * dayMs;
const years = 10;

interface Change {
  /** Time of the change. */
  at: number;
  fromMinutes: number;
  toMinutes: number;
}

/** Returns a function that gives a zone's offset from UTC in minutes. */
function offsetReader(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
    if (!match) return 0;
    const [, sign, hours, minutes] = match;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
}

function changesBetween(offsetAt: (at: number) => number, from: number, to: number): Change[] {
  const changes: Change[] = [];
  for (let start = from; start < to; start += stepMs) {
    const [fromMinutes, toMinutes] = [offsetAt(start), offsetAt(start + stepMs)];
    if (fromMinutes === toMinutes) continue;
    let [before, after] = [start, start + stepMs];
    while (after - before > 60_000) {
      const middle = Math.floor((before + after) / 2 / 60_000) * 60_000;
      if (middle <= before) break;
      if (offsetAt(middle) === fromMinutes) before = middle;
      else after = middle;
    }
    changes.push({ at: after, fromMinutes, toMinutes });
  }
  return changes;
}

function written(minutes: number): string {
  const amount = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(amount / 60))}${two(amount % 60)}`;
}

/** Formats a moment as local time, such as "20260329T020000", for clocks that are `minutes` ahead of UTC. */
function localTime(at: number, minutes: number): string {
  return new Date(at + minutes * 60_000).toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
}

/** Returns the zone's rules around a moment, and that moment in local time. */
export function createTimeZoneComponent(timeZone: string, start: Date): { lines: string[]; localStart: string } {
  const offsetAt = offsetReader(timeZone);
  const at = start.getTime();
  // Starts a year earlier, so the rule in effect at the first occurrence begins inside the range.
  const from = Math.floor(at / dayMs) * dayMs - 366 * dayMs;
  const first: Change = { at: from, fromMinutes: offsetAt(from), toMinutes: offsetAt(from) };
  const all = [first, ...changesBetween(offsetAt, from, at + years * 365 * dayMs)];
  const lines = all.flatMap(({ at: when, fromMinutes, toMinutes }) => {
    const kind = toMinutes > fromMinutes ? 'DAYLIGHT' : 'STANDARD';
    return [
      `BEGIN:${kind}`,
      `DTSTART:${localTime(when, fromMinutes)}`,
      `TZOFFSETFROM:${written(fromMinutes)}`,
      `TZOFFSETTO:${written(toMinutes)}`,
      `END:${kind}`,
    ];
  });
  return {
    lines: ['BEGIN:VTIMEZONE', `TZID:${timeZone}`, ...lines, 'END:VTIMEZONE'],
    localStart: localTime(at, offsetAt(at)),
  };
}
