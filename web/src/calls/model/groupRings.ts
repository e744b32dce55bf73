import type { GroupRing } from '@nolo/api';
import { limits } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import type { Timers } from '../../api/ports.ts';
import type { CallDependencies } from './callPorts.ts';

export interface GroupRingDependencies {
  line: CallDependencies['line'];
  timers: Pick<Timers, 'now' | 'after'>;
  /** The calls of groups that ring for the account now. */
  list(): Promise<readonly GroupRing[]>;
  decline(groupId: string): Promise<unknown>;
}

/** Calls of groups that ring in this tab, latest first. Entering the room answers one; the server then stops the others. */
export function createGroupRings({ line, timers, list, decline }: GroupRingDependencies) {
  const store = createStore<{ rings: readonly GroupRing[] }>(() => ({ rings: [] }));
  /** What was answered, declined or put aside here: a frame that was on its way must not make it ring again. */
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
    // The server says when it is over; without a connection it must not ring on, nor anew after the page was reloaded.
    const endsAt = Date.parse(ring.since) + limits.callRingMs;
    timers.after(Math.max(0, endsAt - timers.now()), () => drop(ring.callId));
  };
  const resync = async (): Promise<void> => {
    // Whatever begins to ring while the request is under way may be missing from its answer.
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
        line.subscribe('group_call_ringing', add),
        line.subscribe('group_call_ring_ended', ({ callId }) => drop(callId)),
        line.onChange((open) => {
          if (open) void resync();
        }),
      ];
      if (line.isOpen) void resync();
    },
    stop(): void {
      for (const stop of stops) stop();
      stops = [];
    },
    /** Takes a ring off this tab: it was answered here, or put aside. */
    drop,
    decline(ring: GroupRing): void {
      drop(ring.callId);
      // Where that does not arrive, it rings on the other devices until its time is over.
      decline(ring.groupId).catch(() => undefined);
    },
  };
}
