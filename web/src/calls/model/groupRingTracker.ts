import type { GroupRing } from '@nolo/api';
import { limits } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import type { Timers } from '@nolo/client/ports';
import type { CallDependencies } from './callPorts.ts';

export interface GroupRingTrackerDependencies {
  socket: CallDependencies['socket'];
  timers: Pick<Timers, 'now' | 'after'>;
  /** Lists the group calls that ring for the account now. */
  list(): Promise<readonly GroupRing[]>;
  decline(groupId: string): Promise<unknown>;
}

/**
 * Tracks group calls that ring in this tab, latest first. Entering the room answers one; the server then stops the
 * others.
 */
export function createGroupRingTracker({ socket, timers, list, decline }: GroupRingTrackerDependencies) {
  const store = createStore<{ rings: readonly GroupRing[] }>(() => ({ rings: [] }));
  /** Calls answered, declined or put aside here: a delayed frame must not make them ring again. */
  const settled = new Set<string>();
  let stops: (() => void)[] = [];

  const drop = (callId: string): void => {
    settled.add(callId);
    store.setState(({ rings }) => ({ rings: rings.filter((ring) => ring.callId !== callId) }));
  };
  const add = (ring: GroupRing): void => {
    const { rings } = store.getState();
    if (settled.has(ring.callId) || rings.some(({ callId }) => callId === ring.callId)) return;
    store.setState({ rings: [ring, ...rings] });
    // The server reports the end; without a connection it must not continue to ring, nor ring again after a reload.
    const endsAt = Date.parse(ring.since) + limits.callRingMs;
    timers.after(Math.max(0, endsAt - timers.now()), () => drop(ring.callId));
  };
  const resync = async (): Promise<void> => {
    // Calls that start to ring during the request may be missing from its answer.
    const before = store.getState().rings;
    const now = await list().catch(() => null);
    if (!now) return;
    for (const { callId } of before) {
      if (!now.some((ring) => ring.callId === callId)) drop(callId);
    }
    for (const ring of now.toReversed()) add(ring);
  };

  return {
    store,
    start(): void {
      stops = [
        socket.subscribe('group_call_ringing', add),
        socket.subscribe('group_call_ring_ended', ({ callId }) => drop(callId)),
        socket.onChange((open) => {
          if (open) void resync();
        }),
      ];
      if (socket.isOpen) void resync();
    },
    stop(): void {
      for (const stop of stops) stop();
      stops = [];
    },
    /** Removes a ring from this tab: it was answered here, or put aside. */
    drop,
    decline(ring: GroupRing): void {
      drop(ring.callId);
      // If the request is lost, it rings on the other devices until its time is over.
      decline(ring.groupId).catch(() => undefined);
    },
  };
}
