import { useEffect, useEffectEvent } from 'react';
import { serverNow } from '../api/serverClock.ts';
import type { LiveCall } from './model/callPhase.ts';

/** Milliseconds that the result stays, long enough to read; pressing a button ends it sooner. */
const stayMs = { talked: 4_000, unanswered: 12_000 };

/** Removes the result of an ended call a moment after its end, wherever the user saw it first. */
export function useDismissEndedCall({ endedAt, ending }: LiveCall, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (endedAt === null) return undefined;
    const stay = ending === 'disconnected' ? stayMs.talked : stayMs.unanswered;
    const timer = setTimeout(() => leave(), endedAt + stay - serverNow());
    return () => clearTimeout(timer);
  }, [endedAt, ending]);
}
