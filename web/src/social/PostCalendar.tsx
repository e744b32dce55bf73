import {
  DndContext,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  pointerWithin,
  useSensor,
  useSensors,
  type Announcements,
  type KeyboardCoordinateGetter,
  useDroppable,
} from '@dnd-kit/core';
import type { SocialPost } from '@nolo/api';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useState, useEffect, useEffectEvent, useRef } from 'react';
import { serverNow } from '../api/serverClock.ts';
import { useNow } from '../shell/useNow.ts';
import { getDateFormat, formatClockTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { toast } from '../ui/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { classNames } from '../ui/classNames.ts';
import {
  toDay,
  computeMovedTime,
  postsByDay,
  listShownDays,
  turnCalendarPage,
  parseSlotId,
  moveSlot,
  type CalendarSpan,
  type Day,
  type MovedTime,
  type PlacedPost,
  type CalendarSlot,
  slotId,
  isHourSkipped,
} from './model/calendar.ts';
import { PostChipFace, type DragData, PostStack } from './PostChip.tsx';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

export interface PostCalendarProps {
  span: CalendarSpan;
  day: Day;
  onDay: (day: Day) => void;
  posts: readonly SocialPost[];
  /** Shows posts with all their actions. */
  onOpen: (title: string, posts: readonly SocialPost[]) => void;
  onMove: (post: SocialPost, time: MovedTime) => void;
}

/** Returns the first weekday. The browser knows where it differs from Monday. */
export function firstWeekday(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}

/** Space picks up and drops a post, so that Enter opens it as elsewhere. */
const keyboardCodes = { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] };

/**
 * Moves between cells in the arrow's direction on the screen. It tracks the position itself, because keys arrive faster
 * than the page reports what is below.
 */
function createSteps(): { begin: (slot: string) => void; step: KeyboardCoordinateGetter } {
  let slot = '';
  return {
    begin: (at) => (slot = at),
    step(event, { context: { collisionRect, droppableRects } }) {
      const rtl = document.documentElement.dir === 'rtl';
      const days = { ArrowLeft: rtl ? 1 : -1, ArrowRight: rtl ? -1 : 1 }[event.code] ?? 0;
      const rows = { ArrowUp: -1, ArrowDown: 1 }[event.code] ?? 0;
      const next = moveSlot(slot, days, rows);
      const rect = droppableRects.get(next);
      if (next === slot || !rect || !collisionRect) return undefined;
      event.preventDefault();
      slot = next;
      return {
        x: rect.left + (rect.width - collisionRect.width) / 2,
        y: rect.top + (rect.height - collisionRect.height) / 2,
      };
    },
  };
}

/**
 * Shows posts on the days or in the hours of their publication. Pending ones can be moved with the mouse or the
 * keyboard.
 */
export function PostCalendar({ span, day, onDay, posts, onOpen, onMove }: PostCalendarProps) {
  const { t } = useTexts(socialTexts);
  const locale = useLocale();
  const today = toDay(new Date(useNow()));
  const days = useMemo(() => listShownDays(span, day, firstWeekday(locale)), [span, day, locale]);
  const byDay = useMemo(() => postsByDay(posts), [posts]);
  const [draggedPost, setDraggedPost] = useState<PlacedPost | null>(null);
  const [steps] = useState(createSteps);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { keyboardCodes, coordinateGetter: steps.step }),
  );
  const slotWords = (id: string): string => {
    const { day: there, hour } = parseSlotId(id);
    const at = new Date(`${there}T${String(hour ?? 12).padStart(2, '0')}:00`);
    return getDateFormat(locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      ...(hour !== undefined && { hour: 'numeric', minute: '2-digit' }),
    }).format(at);
  };
  const announcements: Announcements = {
    onDragStart: () => t('social:calendar.picked'),
    onDragOver: ({ over }) => (over ? t('social:calendar.above', { time: slotWords(String(over.id)) }) : undefined),
    onDragEnd: ({ over }) =>
      over ? t('social:calendar.dropped', { time: slotWords(String(over.id)) }) : t('social:calendar.left'),
    onDragCancel: () => t('social:calendar.left'),
  };
  const drop = (post: SocialPost, slot: CalendarSlot): void => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const time = computeMovedTime(post, slot, timeZone);
    if (!time || time.at.getTime() === Date.parse(post.scheduledAt ?? '')) return;
    if (time.at <= new Date(serverNow())) toast({ kind: 'error', title: t('social:problems.whenPast') });
    else onMove(post, time);
  };
  const title =
    span === 'month'
      ? getDateFormat(locale, { month: 'long', year: 'numeric' }).format(new Date(`${day}T12:00`))
      : getDateFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(
          new Date(`${days[0]}T12:00`),
          new Date(`${days.at(-1)}T12:00`),
        );
  const grid = { days, today, byDay, onOpen };
  return (
    <section aria-label={title} className="flex min-h-0 flex-1 flex-col px-4 pb-4">
      <div className="flex items-center gap-1 pb-3">
        <h3 aria-live="polite" className="min-w-0 flex-1 truncate text-16 font-semibold">
          {title}
        </h3>
        <Button kind="secondary" size="small" onClick={() => onDay(today)}>
          {t('social:calendar.today')}
        </Button>
        <IconButton
          plain
          size="small"
          label={t(`social:calendar.${span}Before`)}
          icon={<ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />}
          onClick={() => onDay(turnCalendarPage(span, day, -1))}
        />
        <IconButton
          plain
          size="small"
          label={t(`social:calendar.${span}After`)}
          icon={<ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />}
          onClick={() => onDay(turnCalendarPage(span, day, 1))}
        />
      </div>
      <DndContext
        sensors={sensors}
        collisionDetection={(seen) => (seen.pointerCoordinates ? pointerWithin(seen) : closestCenter(seen))}
        accessibility={{ announcements, screenReaderInstructions: { draggable: t('social:calendar.howToMove') } }}
        onDragStart={({ active }) => {
          const { placed, slot } = active.data.current as DragData;
          steps.begin(slot);
          setDraggedPost(placed);
        }}
        onDragCancel={() => setDraggedPost(null)}
        onDragEnd={({ over }) => {
          setDraggedPost(null);
          if (draggedPost && over) drop(draggedPost.post, parseSlotId(String(over.id)));
        }}
      >
        {span === 'month' ? <PostCalendarMonth {...grid} month={day.slice(0, 7)} /> : <PostCalendarWeek {...grid} />}
        <DragOverlay dropAnimation={null}>{draggedPost && <PostChipFace placed={draggedPost} lifted />}</DragOverlay>
      </DndContext>
    </section>
  );
}

interface PostCalendarGridProps {
  days: readonly Day[];
  today: Day;
  byDay: ReadonlyMap<Day, readonly PlacedPost[]>;
  onOpen: PostCalendarProps['onOpen'];
}

/** Maximum posts shown per day before the count of further ones. */
const shownPerDay = 3;

const noon = (day: Day): Date => new Date(`${day}T12:00`);

function PostCalendarMonth({ days, today, byDay, onOpen, month }: PostCalendarGridProps & { month: string }) {
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

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const hourAt = (day: Day, hour: number): Date => new Date(`${day}T${String(hour).padStart(2, '0')}:00`);
/** First visible hour if there is no earlier post. */
const morning = 7;
const hourMs = 3_600_000;

/** Seven days, hour by hour in local time. */
function PostCalendarWeek({ days, today, byDay, onOpen }: PostCalendarGridProps) {
  const { t } = useTexts(socialTexts);
  const locale = useLocale();
  const now = useNow();
  const scroll = useRef<HTMLDivElement>(null);
  const week = days[0];
  const earliest = Math.min(morning, ...days.flatMap((day) => byDay.get(day)?.[0]?.at.getHours() ?? []));
  const scrollToFirst = useEffectEvent(() => {
    const row = scroll.current?.querySelector<HTMLElement>(`[data-hour="${earliest}"]`);
    if (row && scroll.current) scroll.current.scrollTop = row.offsetTop - row.offsetHeight;
  });
  useEffect(() => scrollToFirst(), [week]);
  return (
    <div ref={scroll} className="relative min-h-0 flex-1 overflow-y-auto rounded-card border border-line">
      <table className="w-full table-fixed border-collapse">
        <thead className="sticky top-0 z-10 bg-raised shadow-[0_1px_0_var(--color-line)]">
          <tr>
            <th scope="col" className="w-16">
              <span className="sr-only">{t('social:calendar.hour')}</span>
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
