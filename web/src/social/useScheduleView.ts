import { useState } from 'react';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import type { CalendarSpan } from './model/calendar.ts';

export const scheduleViews = ['list', 'week', 'month'] as const;
export type ScheduleView = (typeof scheduleViews)[number];
export const calendarSpans = ['week', 'month'] as const satisfies readonly CalendarSpan[];

const storageKey = 'nolo_schedule_view';
/** Seven days need room; the same width hides the choice. */
const roomForDays = '(min-width: 56rem)';

const isView = (value: string | null): value is ScheduleView => scheduleViews.some((view) => view === value);

/** From there on the list stands beside the days. */
const roomForBoth = '(min-width: 1024px)';

/** How posts are shown, as this device was told last; on narrow screens always as a list. */
export function useScheduleView() {
  const hasRoom = useMediaQuery(roomForDays);
  const framed = useMediaQuery(roomForBoth);
  const [kept, setKept] = useState<ScheduleView>(() => {
    const found = localStorage.getItem(storageKey);
    return isView(found) ? found : 'list';
  });
  const choose = (chosen: ScheduleView): void => {
    localStorage.setItem(storageKey, chosen);
    setKept(chosen);
  };
  const span: CalendarSpan = kept === 'list' ? 'month' : kept;
  return {
    /** Where one of them is shown at a time. */
    view: framed || !hasRoom ? 'list' : kept,
    /** What stands beside the list, where it does. */
    span,
    framed,
    choose,
  } as const;
}
