import { useState } from 'react';
import { useMediaQuery } from '../shell/Panes.tsx';

export const scheduleViews = ['list', 'week', 'month'] as const;
export type ScheduleView = (typeof scheduleViews)[number];

const storageKey = 'nolo_schedule_view';
/** Seven days need room; the same width hides the choice. */
const roomForDays = '(min-width: 56rem)';

const isView = (value: string | null): value is ScheduleView => scheduleViews.some((view) => view === value);

/** How posts are shown, as this device was told last; on narrow screens always as a list. */
export function useScheduleView(): [ScheduleView, (view: ScheduleView) => void] {
  const hasRoom = useMediaQuery(roomForDays);
  const [view, setView] = useState<ScheduleView>(() => {
    const kept = localStorage.getItem(storageKey);
    return isView(kept) ? kept : 'list';
  });
  const choose = (chosen: ScheduleView): void => {
    localStorage.setItem(storageKey, chosen);
    setView(chosen);
  };
  return [hasRoom ? view : 'list', choose];
}
