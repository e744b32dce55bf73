import type { Announcements, KeyboardCoordinateGetter } from '@dnd-kit/core';
import {
  DndContext,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  pointerWithin,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import type { SocialPost } from '@nolo/api';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { serverNow } from '../api/serverClock.ts';
import { useNow } from '../shell/useNow.ts';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { toast } from '../ui/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { PostCalendarMonth } from './PostCalendarMonth.tsx';
import { PostCalendarWeek } from './PostCalendarWeek.tsx';
import type { CalendarSpan, Day, MovedTime, PlacedPost, CalendarSlot } from './model/calendar.ts';
import { toDay, computeMovedTime, postsByDay, listShownDays, turnCalendarPage } from './model/calendar.ts';
import { PostChipFace, type DragData } from './PostChip.tsx';
import { parseSlotId, moveSlot } from './model/calendarSlots.ts';
import { useSocialWords } from './useSocialWords.ts';

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
  const { t } = useSocialWords();
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
    onDragStart: () => t('social.calendar.picked'),
    onDragOver: ({ over }) => (over ? t('social.calendar.above', { time: slotWords(String(over.id)) }) : undefined),
    onDragEnd: ({ over }) =>
      over ? t('social.calendar.dropped', { time: slotWords(String(over.id)) }) : t('social.calendar.left'),
    onDragCancel: () => t('social.calendar.left'),
  };
  const drop = (post: SocialPost, slot: CalendarSlot): void => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const time = computeMovedTime(post, slot, timeZone);
    if (!time || time.at.getTime() === Date.parse(post.scheduledAt ?? '')) return;
    if (time.at <= new Date(serverNow())) toast({ kind: 'error', title: t('social.problems.whenPast') });
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
          {t('social.calendar.today')}
        </Button>
        <IconButton
          plain
          size="small"
          label={t(`social.calendar.${span}Before`)}
          icon={<ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />}
          onClick={() => onDay(turnCalendarPage(span, day, -1))}
        />
        <IconButton
          plain
          size="small"
          label={t(`social.calendar.${span}After`)}
          icon={<ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />}
          onClick={() => onDay(turnCalendarPage(span, day, 1))}
        />
      </div>
      <DndContext
        sensors={sensors}
        collisionDetection={(seen) => (seen.pointerCoordinates ? pointerWithin(seen) : closestCenter(seen))}
        accessibility={{ announcements, screenReaderInstructions: { draggable: t('social.calendar.howToMove') } }}
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
