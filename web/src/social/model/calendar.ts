import type { SocialPost } from '@nolo/api';
import { inputsOf } from './composeForm.ts';
import { momentOf } from './postActions.ts';

/** How much a calendar shows at once. */
export type CalendarSpan = 'week' | 'month';

/** A day of the clock on the person's wall, such as 2027-03-28. */
export type Day = string;

/** Where a post stands, or is put: a day, and in a week also the hour. */
export interface Slot {
  day: Day;
  hour?: number;
}

export const dayOf = (at: Date): Day => inputsOf(at).date;

/** Noon exists on every day, whatever the clocks do at night. */
const noonOf = (day: Day): Date => new Date(`${day}T12:00`);

export function addDays(day: Day, count: number): Day {
  const at = noonOf(day);
  at.setDate(at.getDate() + count);
  return dayOf(at);
}

/**
 * The days that are shown around a day: its week, or all weeks that its month touches.
 *
 * @param firstWeekday 1 for Monday to 7 for Sunday, as Intl.Locale has it.
 */
export function shownDays(span: CalendarSpan, day: Day, firstWeekday: number): Day[] {
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

/** The week or month after a day's, or before it. */
export function turnPage(span: CalendarSpan, day: Day, by: 1 | -1): Day {
  if (span === 'week') return addDays(day, 7 * by);
  const at = noonOf(`${day.slice(0, 8)}01`);
  at.setMonth(at.getMonth() + by);
  return dayOf(at);
}

/** The moments between which the days lie. */
export function rangeOf(days: readonly Day[]): { from: string; to: string } {
  const [first = '', last = first] = [days[0], days.at(-1)];
  return {
    from: new Date(`${first}T00:00`).toISOString(),
    to: new Date(`${addDays(last, 1)}T00:00`).toISOString(),
  };
}

/** Whether the clock on the wall leaves the hour out that day. */
export const lacksHour = (day: Day, hour: number): boolean =>
  new Date(`${day}T${String(hour).padStart(2, '0')}:00`).getHours() !== hour;

export interface PlacedPost {
  post: SocialPost;
  at: Date;
}

/** Posts by day, each day's in the order of time. Those without a time stand nowhere. */
export function postsByDay(posts: readonly SocialPost[]): Map<Day, PlacedPost[]> {
  const placed = posts
    .flatMap((post) => {
      const moment = momentOf(post);
      return moment === null ? [] : { post, at: new Date(moment) };
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const days = new Map<Day, PlacedPost[]>();
  for (const one of placed) {
    const day = dayOf(one.at);
    const others = days.get(day);
    if (others) others.push(one);
    else days.set(day, [one]);
  }
  return days;
}

/** Only what has not begun, and has a time, can be given another one. */
export const isMovable = ({ state, scheduledAt }: Pick<SocialPost, 'state' | 'scheduledAt'>): boolean =>
  scheduledAt !== null && (state === 'scheduled' || state === 'draft');

export interface MovedTime {
  /** As it stands on the wall of the post's own zone. */
  scheduledAt: string;
  timeZone: string;
  /** About when that is; the server knows the clocks of all zones. */
  at: Date;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * The time of a post that is put elsewhere. It keeps its minutes, in a month its time of day, and its own zone: what is
 * moved by a day there as here.
 */
export function movedTo(post: SocialPost, slot: Slot, browserZone: string): MovedTime | null {
  if (post.scheduledAt === null) return null;
  const before = new Date(post.scheduledAt);
  const here = inputsOf(before);
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
