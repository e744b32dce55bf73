import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

const idleMs = 4_000;

/** Returns true if there has been no input in the room for a while. */
export function useIsIdle(room: RefObject<HTMLElement | null>, isPaused: boolean): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const element = room.current;
    if (!element || isPaused) return undefined;
    let timer = setTimeout(() => setIdle(true), idleMs);
    const active = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(true), idleMs);
    };
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const event of events) addEventListener(event, active);
    return () => {
      clearTimeout(timer);
      setIdle(false);
      for (const event of events) removeEventListener(event, active);
    };
  }, [room, isPaused]);
  return idle && !isPaused;
}
