import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent, type TouchEvent } from 'react';

const longPressMs = 450;
const slackPixels = 8;

interface Position {
  x: number;
  y: number;
}

/** Returns true for the menu key, and for its substitute on keyboards that lack it. */
export const isMenuKey = ({ key, shiftKey }: KeyboardEvent): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/**
 * Opens a menu with a right-click or a long press on one of the elements below. Browsers that send `contextmenu` for a
 * long press are handled too.
 *
 * @param open returns true if the target has a menu; without a position, the keyboard asked for it
 */
export function useContextMenu(open: (target: HTMLElement, at?: Position) => boolean) {
  const waiting = useRef<Position & { timer: ReturnType<typeof setTimeout> }>(null);
  const pressed = useRef(false);
  const cancel = () => {
    if (waiting.current) clearTimeout(waiting.current.timer);
    waiting.current = null;
  };
  useEffect(() => cancel, []);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      cancel();
      pressed.current = false;
      if (event.pointerType !== 'touch') return;
      const { target, clientX: x, clientY: y } = event;
      const timer = setTimeout(() => {
        pressed.current = true;
        open(target as HTMLElement, { x, y });
      }, longPressMs);
      waiting.current = { timer, x, y };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const start = waiting.current;
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > slackPixels) cancel();
    },
    onTouchEnd(event: TouchEvent<HTMLElement>) {
      // Lifting the finger that opened the menu must not press what is below, which would close the menu again.
      if (pressed.current && event.cancelable) event.preventDefault();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onContextMenu(event: MouseEvent<HTMLElement>) {
      const { target, clientX: x, clientY: y } = event;
      if (open(target as HTMLElement, x > 0 || y > 0 ? { x, y } : undefined)) event.preventDefault();
    },
  };
}
