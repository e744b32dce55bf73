import { useRef, useState, type MouseEvent, type PointerEvent, type WheelEvent } from 'react';
import { fittingZoom, clampZoom, doublePressZoom, zoomAt, type ZoomSize, type ZoomState } from './zoom.ts';

/** Pixels of a swipe that leads to the next picture (sideways) or closes the viewer (downwards). */
const swipeDistance = 60;

interface ZoomOptions {
  /** Size of the picture in the window at scale 1. */
  picture: ZoomSize;
  onSwipe: (direction: 'left' | 'right' | 'down') => void;
}

export type ZoomHandling = ReturnType<typeof useZoom>;

/** Handles zooming with a wheel, a pinch, or a double press, panning, and swipes to other pictures. */
export function useZoom({ picture, onSwipe }: ZoomOptions) {
  const [zoom, setZoom] = useState(fittingZoom);
  const [drag, setDrag] = useState({ x: 0, y: 0 });
  const [dragging, setDragging] = useState(false);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const start = useRef({ x: 0, y: 0 });

  const windowOf = (element: HTMLElement): ZoomSize => ({ width: element.clientWidth, height: element.clientHeight });
  const fromMiddle = (element: HTMLElement, x: number, y: number) => {
    const box = element.getBoundingClientRect();
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  };
  const change = (element: HTMLElement, next: (zoom: ZoomState) => ZoomState): void =>
    setZoom((current) => clampZoom(next(current), picture, windowOf(element)));
  const end = (event: PointerEvent<HTMLElement>, swiped: boolean): void => {
    if (!pointers.current.delete(event.pointerId) || pointers.current.size > 0) return;
    setDragging(false);
    setDrag({ x: 0, y: 0 });
    if (!swiped || zoom.scale > 1 || event.pointerType === 'mouse') return;
    const [x, y] = [event.clientX - start.current.x, event.clientY - start.current.y];
    if (Math.abs(x) > swipeDistance && Math.abs(x) > Math.abs(y)) onSwipe(x < 0 ? 'left' : 'right');
    else if (y > swipeDistance && y > Math.abs(x)) onSwipe('down');
  };

  return {
    zoom,
    /** Offset of a dragged picture that fits the window. */
    drag,
    dragging,
    by: (factor: number) => setZoom((current) => clampZoom(zoomAt(current, factor, { x: 0, y: 0 }), picture, picture)),
    reset: () => setZoom(fittingZoom),
    handlers: {
      onWheel(event: WheelEvent<HTMLElement>) {
        const element = event.currentTarget;
        const at = fromMiddle(element, event.clientX, event.clientY);
        change(element, (current) => zoomAt(current, Math.exp(-event.deltaY / 400), at));
      },
      onDoubleClick(event: MouseEvent<HTMLElement>) {
        const element = event.currentTarget;
        const at = fromMiddle(element, event.clientX, event.clientY);
        change(element, (current) => (current.scale > 1 ? fittingZoom : zoomAt(current, doublePressZoom, at)));
      },
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (pointers.current.size === 1) start.current = { x: event.clientX, y: event.clientY };
        setDragging(true);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const before = pointers.current.get(event.pointerId);
        if (!before) return;
        const element = event.currentTarget;
        const now = { x: event.clientX, y: event.clientY };
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
        pointers.current.set(event.pointerId, now);
        if (other) {
          const apart = (point: typeof now) => Math.hypot(point.x - other.x, point.y - other.y);
          const at = fromMiddle(element, (now.x + other.x) / 2, (now.y + other.y) / 2);
          const factor = apart(now) / Math.max(1, apart(before));
          change(element, (current) => zoomAt(current, factor, at));
        } else if (zoom.scale > 1) {
          change(element, (current) => ({
            ...current,
            x: current.x + now.x - before.x,
            y: current.y + now.y - before.y,
          }));
        } else if (event.pointerType !== 'mouse') {
          setDrag({ x: now.x - start.current.x, y: Math.max(0, now.y - start.current.y) });
        }
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => end(event, pointers.current.size === 1),
      onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event, false),
    },
  };
}
