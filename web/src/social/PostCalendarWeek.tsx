import { useDroppable } from '@dnd-kit/core';
import { useEffect, useRef } from 'react';
import { useNow } from '../shell/useNow.ts';
import { formatClockTime, getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { classNames } from '../ui/classNames.ts';
import type { PostCalendarProps } from './PostCalendar.tsx';
import type { PostCalendarGridProps } from './PostCalendarMonth.tsx';
import { isHourSkipped, type Day, type PlacedPost } from './model/calendar.ts';
import { slotId } from './model/calendarSlots.ts';
import { PostStack } from './PostStack.tsx';
import { useSocialWords } from './useSocialWords.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const hourAt = (day: Day, hour: number): Date => new Date(`${day}T${String(hour).padStart(2, '0')}:00`);
/** First visible hour if there is no earlier post. */
const morning = 7;
const hourMs = 3_600_000;

/** Seven days, hour by hour in local time. */
export function PostCalendarWeek({ days, today, byDay, onOpen }: PostCalendarGridProps) {
  const { t } = useSocialWords();
  const locale = useLocale();
  const now = useNow();
  const scroll = useRef<HTMLDivElement>(null);
  const week = days[0];
  const earliest = Math.min(morning, ...days.flatMap((day) => byDay.get(day)?.[0]?.at.getHours() ?? []));
  const first = useRef(earliest);
  useEffect(() => {
    first.current = earliest;
  });
  useEffect(() => {
    const row = scroll.current?.querySelector<HTMLElement>(`[data-hour="${first.current}"]`);
    if (row && scroll.current) scroll.current.scrollTop = row.offsetTop - row.offsetHeight;
  }, [week]);
  return (
    <div ref={scroll} className="relative min-h-0 flex-1 overflow-y-auto rounded-card border border-line">
      <table className="w-full table-fixed border-collapse">
        <thead className="sticky top-0 z-10 bg-raised shadow-[0_1px_0_var(--color-line)]">
          <tr>
            <th scope="col" className="w-16">
              <span className="sr-only">{t('social.calendar.hour')}</span>
            </th>
            {days.map((day) => (
              <th
                key={day}
                scope="col"
                aria-current={day === today ? 'date' : undefined}
                className={classNames(
                  'truncate px-2 py-2 text-start text-12 font-medium',
                  day === today ? 'text-accent-text' : 'text-muted',
                )}
              >
                {getDateFormat(locale, { weekday: 'short', day: 'numeric' }).format(hourAt(day, 12))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour} data-hour={hour}>
              <th
                scope="row"
                className="tabular border-t border-line pe-2 pt-1 text-end align-top whitespace-nowrap text-12 font-normal text-muted"
              >
                {formatClockTime(hourAt('2027-06-01', hour).getTime(), locale)}
              </th>
              {days.map((day) => (
                <HourCell
                  key={day}
                  day={day}
                  hour={hour}
                  isPast={hourAt(day, hour).getTime() + hourMs <= now}
                  posts={(byDay.get(day) ?? []).filter(({ at }) => at.getHours() === hour)}
                  onOpen={onOpen}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HourCellProps {
  day: Day;
  hour: number;
  isPast: boolean;
  posts: readonly PlacedPost[];
  onOpen: PostCalendarProps['onOpen'];
}

function HourCell({ day, hour, isPast, posts, onOpen }: HourCellProps) {
  const locale = useLocale();
  // The clock change skips this hour, so no post can be published then.
  const missing = isHourSkipped(day, hour);
  const slot = slotId({ day, hour });
  const { setNodeRef, isOver } = useDroppable({ id: slot, disabled: isPast || missing });
  const title = getDateFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(hourAt(day, 12));
  return (
    <td
      ref={setNodeRef}
      data-slot={slot}
      className={classNames(
        'h-12 border border-line p-0.5 align-top',
        (isPast || missing) && !isOver && 'bg-sunken',
        isOver && 'bg-accent-subtle outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <PostStack posts={posts} maxShown={3} slot={slot} title={title} onOpen={onOpen} />
    </td>
  );
}
