import { useDroppable } from '@dnd-kit/core';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { classNames } from '../ui/classNames.ts';
import type { PostCalendarProps } from './PostCalendar.tsx';
import type { Day, PlacedPost } from './model/calendar.ts';
import { slotId } from './model/calendarSlots.ts';
import { PostStack } from './PostStack.tsx';

export interface PostCalendarGridProps {
  days: readonly Day[];
  today: Day;
  byDay: ReadonlyMap<Day, readonly PlacedPost[]>;
  onOpen: PostCalendarProps['onOpen'];
}

/** Maximum posts shown per day before the count of further ones. */
const shownPerDay = 3;

const noon = (day: Day): Date => new Date(`${day}T12:00`);

/** Weeks of a month. */
export function PostCalendarMonth({ days, today, byDay, onOpen, month }: PostCalendarGridProps & { month: string }) {
  const locale = useLocale();
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <table className="h-full w-full table-fixed border-collapse">
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day} scope="col" className="h-8 truncate px-2 text-start text-12 font-medium text-muted">
                {getDateFormat(locale, { weekday: 'short' }).format(noon(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <DayCell
                  key={day}
                  day={day}
                  isToday={day === today}
                  isPast={day < today}
                  isOutside={!day.startsWith(month)}
                  posts={byDay.get(day) ?? []}
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

interface DayCellProps {
  day: Day;
  isToday: boolean;
  isPast: boolean;
  isOutside: boolean;
  posts: readonly PlacedPost[];
  onOpen: PostCalendarProps['onOpen'];
}

function DayCell({ day, isToday, isPast, isOutside, posts, onOpen }: DayCellProps) {
  const locale = useLocale();
  const { setNodeRef, isOver } = useDroppable({ id: slotId({ day }), disabled: isPast });
  const title = getDateFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(noon(day));
  return (
    <td
      ref={setNodeRef}
      data-slot={day}
      aria-current={isToday ? 'date' : undefined}
      className={classNames(
        'h-27 border border-line p-1 align-top',
        isOutside && !isOver && 'bg-sunken',
        isOver && 'bg-accent-subtle outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <time
        dateTime={day}
        aria-label={title}
        className={classNames(
          'tabular mb-1 inline-flex size-6 items-center justify-center rounded-full text-12',
          isToday ? 'bg-accent font-semibold text-on-accent' : isPast || isOutside ? 'text-muted' : 'text-ink',
        )}
      >
        {noon(day).getDate()}
      </time>
      <PostStack posts={posts} maxShown={shownPerDay} slot={slotId({ day })} title={title} onOpen={onOpen} />
    </td>
  );
}
