import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useRef, useState, useEffect, type RefObject, type PointerEvent } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useMediaQuery } from '../../shell/useMediaQuery.ts';
import { arrangeStage, type StageLayout, type Stage, type StageTile } from './model/meetingStage.ts';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { toStageState, useRoomState } from './roomContext.ts';
import { TileBox } from './TileBox.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/**
 * Returns true if an element is higher than wide. It stays up to date, because a side panel takes some of its width.
 */
function useIsTallerThanWide(element: RefObject<HTMLElement | null>): boolean {
  const [portrait, setPortrait] = useState(() => matchMedia('(max-aspect-ratio: 1/1)').matches);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setPortrait(entry.contentRect.height >= entry.contentRect.width);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return portrait;
}

export interface StageViewProps {
  layout: StageLayout;
  pinned: string | null;
  onPin: (key: string | null) => void;
  onInvite: () => void;
  room: RefObject<HTMLElement | null>;
}

/** Columns in halves, so that tiles in an incomplete last row are centered. */
const gridOf = ({ columns, rows }: Pick<Stage, 'columns' | 'rows'>) => ({
  gridTemplateColumns: `repeat(${columns * 2}, minmax(0, 1fr))`,
  gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
});

/** Returns the half columns of a tile. */
function placeOf(index: number, { others, columns }: Pick<Stage, 'others' | 'columns'>) {
  const inLastRow = others.length % columns;
  const beginsLastRow = inLastRow > 0 && index === others.length - inLastRow;
  return { gridColumn: beginsLastRow ? `${columns - inLastRow + 1} / span 2` : 'span 2' };
}

/** Shows all visible people: in a grid, or one large with the others beside it. */
export function StageView({ layout, pinned, onPin, onInvite, room }: StageViewProps) {
  const { t } = useTexts(meetingTexts);
  const [page, setPage] = useState(0);
  const phone = !useMediaQuery('(min-width: 640px)');
  const shown = useRef<HTMLDivElement>(null);
  const portrait = useIsTallerThanWide(shown);
  const roomState = useRoomState(useShallow(toStageState));
  const stage = useMemo(
    () => arrangeStage(roomState, { layout, pinned, page, floatSelf: phone, portrait }),
    [roomState, layout, pinned, page, phone, portrait],
  );
  const alone = useRoomState((state) => state.order.length <= 1);
  const { main, others, floating, pages } = stage;
  const large = main.length > 0;
  const box = (tile: StageTile, size: 'main' | 'grid' | 'strip') => (
    <TileBox
      key={tile.key}
      tile={tile}
      size={size}
      pinned={tile.key === pinned}
      onPin={() => onPin(tile.key === pinned ? null : tile.key)}
    />
  );

  return (
    <div
      ref={shown}
      className={classNames(
        'flex size-full gap-2 p-2 sm:gap-3 sm:p-3',
        large && (portrait ? 'flex-col' : 'flex-row'),
        // Leaves a line for the pages, because names are at the lower edge of tiles.
        pages > 1 && 'pb-14 sm:pb-14',
      )}
    >
      {large && <div className="min-h-0 min-w-0 flex-1">{main.map((tile) => box(tile, 'main'))}</div>}
      {others.length > 0 && (
        <ul
          data-testid={large ? 'strip' : 'grid'}
          data-columns={stage.columns}
          data-rows={stage.rows}
          className={classNames(
            large
              ? portrait
                ? 'grid h-28 shrink-0 auto-cols-[minmax(0,10rem)] grid-flow-col justify-center gap-2'
                : 'grid w-52 shrink-0 auto-rows-[minmax(0,8rem)] content-center gap-3 xl:w-64 xl:auto-rows-[minmax(0,9.5rem)]'
              : 'grid size-full gap-2 sm:gap-3',
          )}
          style={large ? undefined : gridOf(stage)}
        >
          {others.map((tile, index) => (
            <li key={tile.key} className="min-h-0 min-w-0" style={large ? undefined : placeOf(index, stage)}>
              {box(tile, large ? 'strip' : 'grid')}
            </li>
          ))}
        </ul>
      )}
      {pages > 1 && (
        <div className="absolute inset-x-0 bottom-3 z-10 flex items-center justify-center gap-2">
          <PageButton
            label={t('meeting:room.previousPage')}
            disabled={stage.page === 0}
            onPress={() => setPage(stage.page - 1)}
          >
            <ChevronLeft className="rtl:-scale-x-100" />
          </PageButton>
          <span className="tabular rounded-full bg-overlay px-3 py-1 text-12" aria-live="polite">
            {t('meeting:room.pageOf', { page: stage.page + 1, pages })}
          </span>
          <PageButton
            label={t('meeting:room.nextPage')}
            disabled={stage.page === pages - 1}
            onPress={() => setPage(stage.page + 1)}
          >
            <ChevronRight className="rtl:-scale-x-100" />
          </PageButton>
        </div>
      )}
      {alone && (
        <div className="pointer-events-none absolute inset-x-0 bottom-14 flex justify-center px-4">
          <div className="pointer-events-auto flex flex-wrap items-center justify-center gap-3 rounded-card bg-overlay px-4 py-2.5 text-center text-13 shadow-overlay">
            <span>
              <strong className="block font-semibold">{t('meeting:room.alone')}</strong>
              <span className="text-muted">{t('meeting:room.aloneText')}</span>
            </span>
            <Button size="small" onClick={onInvite}>
              {t('meeting:room.invite')}
            </Button>
          </div>
        </div>
      )}
      {floating && <FloatingSelf tile={floating} room={room} lifted={large && portrait} />}
    </div>
  );
}

interface PageButtonProps {
  label: string;
  disabled: boolean;
  onPress: () => void;
  children: React.ReactNode;
}

function PageButton({ label, disabled, onPress, children }: PageButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onPress}
      className="tap inline-flex size-9 items-center justify-center rounded-full bg-overlay text-ink hover:bg-raised disabled:opacity-40 [&_svg]:size-5"
    >
      {children}
    </button>
  );
}

const step = 24;

interface FloatingSelfProps {
  tile: StageTile;
  room: RefObject<HTMLElement | null>;
  /** True if a strip of other people is at the lower edge. */
  lifted: boolean;
}

/** The user's own tile on a phone, above the others. Drag it away with a finger or the arrow keys. */
function FloatingSelf({ tile, room, lifted }: FloatingSelfProps) {
  const { t } = useTexts(meetingTexts);
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ x: 0, y: 0 });
  const grip = useRef<{ x: number; y: number } | null>(null);

  /** Keeps the whole tile inside the room. */
  const moveTo = (x: number, y: number): void => {
    const frame = room.current?.getBoundingClientRect();
    const own = box.current?.getBoundingClientRect();
    if (!frame || !own) return;
    const home = { left: own.left - place.x, top: own.top - place.y };
    setPlace({
      x: Math.min(Math.max(x, frame.left + 8 - home.left), frame.right - 8 - own.width - home.left),
      y: Math.min(Math.max(y, frame.top + 8 - home.top), frame.bottom - 8 - own.height - home.top),
    });
  };
  const begin = (event: PointerEvent<HTMLDivElement>): void => {
    grip.current = { x: event.clientX - place.x, y: event.clientY - place.y };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  return (
    // A plain element instead of a button, because a press does nothing.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is moved, by finger and by keys
    <div
      ref={box}
      role="group"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys have to reach it
      tabIndex={0}
      aria-label={t('meeting:room.moveSelf')}
      data-testid="floating-self"
      onPointerDown={begin}
      onPointerMove={(event) => {
        if (grip.current) moveTo(event.clientX - grip.current.x, event.clientY - grip.current.y);
      }}
      onPointerUp={() => (grip.current = null)}
      onPointerCancel={() => (grip.current = null)}
      onKeyDown={(event) => {
        const moves: Record<string, [number, number]> = {
          ArrowLeft: [-step, 0],
          ArrowRight: [step, 0],
          ArrowUp: [0, -step],
          ArrowDown: [0, step],
        };
        const move = moves[event.key];
        if (!move) return;
        event.preventDefault();
        moveTo(place.x + move[0], place.y + move[1]);
      }}
      className={classNames(
        'absolute end-3 z-20 h-40 w-28 touch-none rounded-card shadow-overlay',
        // Leaves room for the tile's name.
        lifted ? 'bottom-42' : 'bottom-12',
      )}
      style={{ transform: `translate(${place.x}px, ${place.y}px)` }}
    >
      <TileBox tile={tile} size="floating" />
    </div>
  );
}
