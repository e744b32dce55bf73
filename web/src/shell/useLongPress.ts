import { useEffect, useRef, type PointerEvent, type TouchEvent } from 'react';

const longPressMs = 450;
const slackPixels = 8;

/** Detects a long press. Browsers that send `contextmenu` for it are handled there too. */
export function useLongPress(onLongPress: (target: HTMLElement, x: number, y: number) => void) {
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(null);
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
        onLongPress(target as HTMLElement, x, y);
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
  };
}
