import { useRef, useState, type PointerEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageTile } from './model/meetingStage.ts';
import { classNames } from '../../ui/classNames.ts';
import { TileBox } from './TileBox.tsx';

const step = 24;

/** The user's own tile on a phone, above the others. Drag it away with a finger or the arrow keys. */
export function FloatingSelf({
  tile,
  room,
  lifted,
}: {
  tile: StageTile;
  room: RefObject<HTMLElement | null>;
  /** True if a strip of other people is at the lower edge. */
  lifted: boolean;
}) {
  const { t } = useTranslation();
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
      aria-label={t('meeting.room.moveSelf')}
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
