import { limits } from '@nolo/rules';
import type { LiveCall } from './callPhase.ts';
import type { Timers } from '@nolo/client/ports';

/** Milliseconds after the ring time to wait for the server's report that nobody answered. */
const graceMs = 5_000;

/** Prevents calls from ringing forever: calls `onOver` when the server should have ended the call long ago. */
export function createRingTimeout(timers: Timers, onOver: (callId: string) => void) {
  let cancel: (() => void) | null = null;
  return {
    watch(before: LiveCall | null, next: LiveCall | null): void {
      const rings = (one: LiveCall | null) => one?.phase === 'outgoing' || one?.phase === 'incoming';
      if (rings(before) && rings(next) && before?.call?.id === next?.call?.id) return;
      cancel?.();
      cancel = null;
      const id = next?.call?.id;
      if (!rings(next) || id === undefined || !next) return;
      // The server ends it; this covers a lost frame.
      cancel = timers.after(limits.callRingMs + graceMs, () => onOver(id));
    },
    stop(): void {
      cancel?.();
      cancel = null;
    },
  };
}
