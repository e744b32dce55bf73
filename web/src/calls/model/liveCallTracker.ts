import type { Call } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import { limits } from '@nolo/rules';
import type { Timers } from '@nolo/client/ports';
import { computeNextLiveCall, withKnownPeople, type LiveCall } from './callPhase.ts';
import type { CallDependencies } from './callPorts.ts';
import { createHungUpCallTracker } from './hungUpCallTracker.ts';

/** Milliseconds after the ring time to wait for the server's report that nobody answered. */
const graceMs = 5_000;

/** Prevents calls from ringing forever: calls `onOver` when the server should have ended the call long ago. */
function createRingTimeout(timers: Timers, onOver: (callId: string) => void) {
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

const maxCalls = 50;

/**
 * Tracks the newest version of each call. Frames and answers arrive in any order: an older one must not reset a call,
 * let an ended call ring, or bring back a participant who left.
 */
function createCallVersionTracker() {
  const seen = new Map<string, { version: number; ended: boolean }>();
  return {
    /** Returns true if a newer state of the call was seen. */
    isStale({ id, version, status }: Call): boolean {
      const newest = seen.get(id);
      const ended = status === 'ended';
      if (newest?.ended && !ended) return true;
      if (newest && version < newest.version) return true;
      seen.delete(id);
      seen.set(id, { version, ended });
      for (const oldest of seen.keys()) if (seen.size > maxCalls) seen.delete(oldest);
      return false;
    },
  };
}

/** Loads people whom frames do not name: callers, and participants added by others. */
function createCallPeopleLoader(
  { selfId, api }: Pick<CallDependencies, 'selfId' | 'api'>,
  onKnown: (call: Call) => void,
): (call: Call) => Promise<void> {
  /** A deleted account stays without a name, and is not queried with every frame. */
  const requestedIds = new Set<string>();
  return async (call) => {
    const unknown = call.participants
      .filter(({ user, userId }) => user === null && userId !== selfId)
      .map(({ userId }) => `${call.id} ${userId}`)
      .filter((person) => !requestedIds.has(person));
    if (unknown.length === 0) return;
    for (const person of unknown) requestedIds.add(person);
    const known = await api.get(call.id).catch(() => null);
    if (known) onKnown(known);
    else for (const person of unknown) requestedIds.delete(person);
  };
}

export interface LiveCallState {
  live: LiveCall | null;
}

const retryMs = 1_500;
const maxActionAttempts = 8;

/** Tracks this tab's call according to the server: by frames, and by queries after every interruption. */
export function createLiveCallTracker({ selfId, deviceId, api, timers, failureOf, onNotice }: CallDependencies) {
  const store = createStore<LiveCallState>(() => ({ live: null }));
  /** True if a call rang during another one, and may still ring when that one is over. */
  let skipped = false;
  const hungUp = createHungUpCallTracker();
  const versions = createCallVersionTracker();

  const live = () => store.getState().live;
  const isPhase = (phase: LiveCall['phase'], id: string) => live()?.phase === phase && live()?.call?.id === id;
  const ringing = createRingTimeout(timers, (id) => {
    void refresh(id).then(() => {
      if (isPhase('outgoing', id)) end();
      if (isPhase('incoming', id)) setLive(null);
    });
  });
  const viewer = () => ({ selfId, deviceId, now: timers.now() });
  const setLive = (next: LiveCall | null): void => {
    const before = live();
    if (before === next) return;
    store.setState({ live: next });
    ringing.watch(before, next);
    if (skipped && (next === null || next.phase === 'ended')) {
      skipped = false;
      void resync();
    }
  };
  const patch = (change: Partial<LiveCall>): void => {
    const now = live();
    if (now) setLive({ ...now, ...change });
  };

  const apply = (call: Call): void => {
    if (versions.isStale(call)) return;
    if (hungUp.isTooLate(call, live(), viewer())) return;
    const before = live();
    const next = computeNextLiveCall(before, call, viewer());
    if (before && before.call?.id !== call.id && next === before && before.phase !== 'ended') {
      const me = call.participants.find(({ userId }) => userId === selfId);
      skipped ||= me?.state === 'ringing' && call.status !== 'ended';
      return;
    }
    setLive(next);
    const me = call.participants.find(({ userId }) => userId === selfId);
    if (before?.phase === 'incoming' && !next && me?.state === 'joined') onNotice({ kind: 'elsewhere' });
    if (next?.call && next.phase !== 'ended') void learnPeople(next.call);
  };

  const learnPeople = createCallPeopleLoader({ selfId, api }, (known) => {
    const now = live();
    if (now?.call?.id === known.id) patch({ call: withKnownPeople(known, now.call) });
  });

  async function refresh(id: string): Promise<void> {
    try {
      apply(await api.get(id));
    } catch (error) {
      if (failureOf(error).code !== 'call_not_found') return;
      if (live()?.call?.id === id) setLive(null);
    }
  }

  async function resync(): Promise<void> {
    const known = live()?.call?.id;
    const calls = await api.list().catch(() => null);
    if (!calls) return;
    const own = calls.find(({ id }) => id === known);
    if (own) apply(own);
    else if (known !== undefined && live()?.phase !== 'ended') await refresh(known);
    // The call that this tab is in takes precedence over a ringing one.
    const open = calls.filter(({ status }) => status !== 'ended');
    const mine = open.find(({ participants }) =>
      participants.some((one) => one.userId === selfId && one.deviceId === deviceId && one.state !== 'left'),
    );
    if (mine) apply(mine);
    for (const call of open) if (call !== mine) apply(call);
  }

  /** Repeats a request until the server has it, because the other side waits for that. */
  const insist = async (task: () => Promise<Call>, tries = 0): Promise<void> => {
    try {
      apply(await task());
    } catch (error) {
      if (!failureOf(error).passing || tries >= maxActionAttempts) return;
      timers.after(retryMs, () => void insist(task, tries + 1));
    }
  };

  const hangUp = (id: string): void => {
    hungUp.add(id);
    void insist(() => api.end(id));
  };

  /** Hangs up, or cancels a call that still rings. */
  const end = (): void => {
    const now = live();
    if (!now || now.phase === 'ended') return;
    setLive(null);
    // If the server has not named it yet, the pending request ends it with its answer.
    if (now.call) hangUp(now.call.id);
  };

  return {
    store,
    live,
    viewer,
    setLive,
    patch,
    apply,
    refresh,
    resync,
    insist,
    initiate: (...what: Parameters<typeof api.initiate>) => hungUp.trackPending(() => api.initiate(...what)),
    hangUp,
    end,
    stop: ringing.stop,
  };
}

export type LiveCallTracker = ReturnType<typeof createLiveCallTracker>;
