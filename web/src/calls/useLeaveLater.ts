import { useEffect, useRef } from 'react';
import { serverNow } from '../api/serverClock.ts';
import type { LiveCall } from './model/callPhase.ts';

/** Long enough to be read; whoever wants something else presses it. */
const stayMs = { talked: 4_000, unanswered: 12_000 };

/** Puts away what tells how a call ended, a moment after it did, wherever one saw it first. */
export function useLeaveLater({ endedAt, ending }: LiveCall, onLeave: () => void): void {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    if (endedAt === null) return undefined;
    const stay = ending === 'disconnected' ? stayMs.talked : stayMs.unanswered;
    const timer = setTimeout(() => leave.current(), endedAt + stay - serverNow());
    return () => clearTimeout(timer);
  }, [endedAt, ending]);
}
