import type { SocialPost } from '@nolo/api';
import { toDateTimeInputs } from '../../shell/dateTimeInputs.ts';
import { findPostMoment } from './postActions.ts';

/** Period that a calendar shows at once. */
export type CalendarSpan = 'week' | 'month';

/** Day in the user's local time, such as 2027-03-28. */
export type Day = string;

/** Position of a post in the calendar: a day, and in a week also the hour. */
export interface CalendarSlot {
  day: Day;
  hour?: number;
}

export const toDay = (at: Date): Day => toDateTimeInputs(at).date;

/** Noon exists on every day, regardless of clock changes at night. */
const noonOf = (day: Day): Date => new Date(`${day}T12:00`);

export function addDays(day: Day, count: number): Day {
  const at = noonOf(day);
  at.setDate(at.getDate() + count);
  return toDay(at);
}

/**
 * Returns the days to show around a day: its week, or all weeks of its month.
 *
 * @param firstWeekday 1 for Monday to 7 for Sunday, as in Intl.Locale
 */
export function listShownDays(span: CalendarSpan, day: Day, firstWeekday: number): Day[] {
  const first = span === 'week' ? day : `${day.slice(0, 8)}01`;
  const back = (noonOf(first).getDay() - (firstWeekday % 7) + 7) % 7;
  const begin = addDays(first, -back);
  const days = span === 'week' ? 7 : Math.ceil((back + daysIn(day)) / 7) * 7;
  return Array.from({ length: days }, (_, index) => addDays(begin, index));
}

function daysIn(day: Day): number {
  const at = noonOf(`${day.slice(0, 8)}01`);
  at.setMonth(at.getMonth() + 1, 0);
  return at.getDate();
}

/** Returns a day in the next or previous week or month. */
export function turnCalendarPage(span: CalendarSpan, day: Day, by: 1 | -1): Day {
  if (span === 'week') return addDays(day, 7 * by);
  const at = noonOf(`${day.slice(0, 8)}01`);
  at.setMonth(at.getMonth() + by);
  return toDay(at);
}

export function toTimeRange(days: readonly Day[]): { from: string; to: string } {
  const [first = '', last = first] = [days[0], days.at(-1)];
  return {
    from: new Date(`${first}T00:00`).toISOString(),
    to: new Date(`${addDays(last, 1)}T00:00`).toISOString(),
  };
}

/** Returns true if the local clock skips the hour on that day. */
export const isHourSkipped = (day: Day, hour: number): boolean =>
  new Date(`${day}T${String(hour).padStart(2, '0')}:00`).getHours() !== hour;

export interface PlacedPost {
  post: SocialPost;
  at: Date;
}

/** Groups posts by day, sorted by time. Omits posts without a time. */
export function postsByDay(posts: readonly SocialPost[]): Map<Day, PlacedPost[]> {
  const placed = posts
    .flatMap((post) => {
      const moment = findPostMoment(post);
      return moment === null ? [] : { post, at: new Date(moment) };
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const days = new Map<Day, PlacedPost[]>();
  for (const one of placed) {
    const day = toDay(one.at);
    const others = days.get(day);
    if (others) others.push(one);
    else days.set(day, [one]);
  }
  return days;
}

/** Returns true if a post can be moved: it has a time and publication has not begun. */
export const isMovable = ({ state, scheduledAt }: Pick<SocialPost, 'state' | 'scheduledAt'>): boolean =>
  scheduledAt !== null && (state === 'scheduled' || state === 'draft');

export interface MovedTime {
  /** Local time in the post's own time zone. */
  scheduledAt: string;
  timeZone: string;
  /** Approximate moment. The server knows all time zones. */
  at: Date;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * Returns the new time of a moved post. It keeps its minutes, in the month view its time of day, and its own time zone,
 * in which it moves by the same days and hours.
 */
export function computeMovedTime(post: SocialPost, slot: CalendarSlot, browserZone: string): MovedTime | null {
  if (post.scheduledAt === null) return null;
  const before = new Date(post.scheduledAt);
  const here = toDateTimeInputs(before);
  const hours = slot.hour === undefined ? 0 : slot.hour - before.getHours();
  const days = Math.round((noonOf(slot.day).getTime() - noonOf(here.date).getTime()) / dayMs);
  const local = post.localTime ?? `${here.date}T${here.time}`;
  const wall = new Date(Date.parse(`${local.slice(0, 16)}Z`) + days * dayMs + hours * hourMs);
  const minutes = here.time.slice(3);
  const hour = String(slot.hour ?? before.getHours()).padStart(2, '0');
  return {
    scheduledAt: wall.toISOString().slice(0, 16),
    timeZone: post.timeZone ?? browserZone,
    at: new Date(`${slot.day}T${hour}:${minutes}`),
  };
}

/** Returns the id of a slot, such as 2027-03-28 or, with its hour, 2027-03-28T14. */
export const slotId = ({ day, hour }: CalendarSlot): string =>
  hour === undefined ? day : `${day}T${String(hour).padStart(2, '0')}`;

export function parseSlotId(id: string): CalendarSlot {
  const [day = '', hour] = id.split('T');
  return hour === undefined ? { day } : { day, hour: Number(hour) };
}

/** Returns the slot that is `days` and `rows` further. A row is a week in a month, and an hour in a week. */
export function moveSlot(id: string, days: number, rows: number): string {
  const { day, hour } = parseSlotId(id);
  if (hour === undefined) return slotId({ day: addDays(day, days + 7 * rows) });
  return slotId({ day: addDays(day, days), hour: Math.min(23, Math.max(0, hour + rows)) });
}
