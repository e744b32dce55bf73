import { limits } from '@nolo/rules';
import type { LiveCall } from './callPhase.ts';
import type { Timers } from '../../api/ports.ts';

/** How much longer than it rings one waits for the server to say that nobody answered. */
const graceMs = 5_000;

/** Sees to it that no call rings for ever: `onOver` is told when the server should long have ended it. */
export function createRingWatch(timers: Timers, onOver: (callId: string) => void) {
  let cancel: (() => void) | null = null;
  return {
    watch(before: LiveCall | null, next: LiveCall | null): void {
      const rings = (one: LiveCall | null) => one?.phase === 'outgoing' || one?.phase === 'incoming';
      if (rings(before) && rings(next) && before?.call?.id === next?.call?.id) return;
      cancel?.();
      cancel = null;
      const id = next?.call?.id;
      if (!rings(next) || id === undefined || !next) return;
      // The server ends it; this is for when its word was lost.
      cancel = timers.after(limits.callRingMs + graceMs, () => onOver(id));
    },
    stop(): void {
      cancel?.();
      cancel = null;
    },
  };
}
