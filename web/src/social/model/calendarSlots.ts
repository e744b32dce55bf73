import { addDays, type CalendarSlot } from './calendar.ts';

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
