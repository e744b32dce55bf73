import { useState } from 'react';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import type { CalendarSpan } from './model/calendar.ts';

export const scheduleViews = ['list', 'week', 'month'] as const;
export type ScheduleView = (typeof scheduleViews)[number];
export const calendarSpans = ['week', 'month'] as const satisfies readonly CalendarSpan[];

const storageKey = 'nolo_schedule_view';
/** Minimum width for seven days. The choice is hidden below the same width. */
const roomForDays = '(min-width: 56rem)';

const isView = (value: string | null): value is ScheduleView => scheduleViews.some((view) => view === value);

/** Minimum width at which the list is beside the days. */
const roomForBoth = '(min-width: 1024px)';

/** Returns the view of posts as last chosen on this device. On narrow screens, always the list. */
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
    /** Current view, if only one is shown at a time. */
    view: framed || !hasRoom ? 'list' : kept,
    /** Period of the calendar beside the list, if there is one. */
    span,
    framed,
    choose,
  } as const;
}
