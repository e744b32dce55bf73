import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { classNames } from '../ui/classNames.ts';

type Corner = { bottom: boolean; end: boolean };

const slackPixels = 6;

/** Returns the corner of the area nearest to a point. */
export function nearestCorner(
  point: { x: number; y: number },
  area: { left: number; top: number; width: number; height: number },
  rtl: boolean,
): Corner {
  const right = point.x > area.left + area.width / 2;
  return { bottom: point.y > area.top + area.height / 2, end: right !== rtl };
}

/** Small video that can be dragged to any corner, and that a press swaps with the large one. */
export function FloatingView({
  label,
  onPress,
  children,
}: {
  label: string;
  onPress: () => void;
  children: ReactNode;
}) {
  const [corner, setCorner] = useState<Corner>({ bottom: true, end: true });
  const [offset, setOffset] = useState<{ x: number; y: number } | null>(null);
  const start = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const dragged = useRef(false);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    start.current = { x: event.clientX, y: event.clientY, moved: false };
    dragged.current = false;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const from = start.current;
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved && Math.hypot(x, y) < slackPixels) return;
    from.moved = true;
    dragged.current = true;
    setOffset({ x, y });
  };
  const onPointerEnd = (event: PointerEvent<HTMLElement>) => {
    const area = event.currentTarget.parentElement?.getBoundingClientRect();
    if (start.current?.moved && area) {
      const own = event.currentTarget.getBoundingClientRect();
      const middle = { x: own.left + own.width / 2, y: own.top + own.height / 2 };
      setCorner(nearestCorner(middle, area, document.documentElement.dir === 'rtl'));
    }
    start.current = null;
    setOffset(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const rtl = document.documentElement.dir === 'rtl';
    const moves: Record<string, Partial<Corner>> = {
      ArrowUp: { bottom: false },
      ArrowDown: { bottom: true },
      ArrowLeft: { end: rtl },
      ArrowRight: { end: !rtl },
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    setCorner((before) => ({ ...before, ...move }));
  };

  return (
    <button
      type="button"
      aria-label={label}
      data-testid="call-small"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onKeyDown={onKeyDown}
      onClick={() => {
        // The browser reports a press at the end of a drag, which the user did not intend.
        if (!dragged.current) onPress();
        dragged.current = false;
      }}
      style={offset ? { transform: `translate(${offset.x}px, ${offset.y}px)` } : undefined}
      className={classNames(
        'absolute z-10 aspect-[3/4] w-26 touch-none overflow-hidden rounded-card border border-line bg-panel shadow-overlay sm:aspect-video sm:w-56',
        offset ? 'cursor-grabbing' : 'transition-[inset] duration-150 ease-out',
        corner.bottom ? 'bottom-3' : 'top-16',
        corner.end ? 'end-3' : 'start-3',
      )}
    >
      {children}
    </button>
  );
}
