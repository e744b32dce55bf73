import type { Call } from '@nolo/api';
import { limits, type CallType } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import { nextLive, startingCall, withKnownPeople, type LiveCall } from './callPhase.ts';
import type { CallTarget } from '../../chat/calling/callRequests.ts';
import type { Timers } from '../../api/ports.ts';
import type { SocketLine } from '../../api/socketRequests.ts';

export interface CallChange {
  type?: 'video';
  mode?: 'room';
  status?: 'connected';
}

/** What calls ask of the server. Rejects with what `failureOf` understands. */
export interface CallApi {
  /** The direct conversation with somebody, made where there is none yet. */
  conversationWith(userId: string): Promise<string>;
  initiate(conversationId: string, callType: CallType, deviceId: string): Promise<Call>;
  /** The latest. */
  list(): Promise<Call[]>;
  get(id: string): Promise<Call>;
  answer(id: string, deviceId: string, signalData?: Record<string, unknown>): Promise<Call>;
  decline(id: string): Promise<Call>;
  end(id: string): Promise<Call>;
  update(id: string, change: CallChange & { deviceId: string }): Promise<Call>;
  invite(id: string, userId: string): Promise<Call>;
}

export interface CallFailure {
  /** Whether the same may work a little later. */
  passing: boolean;
  code: string;
}

/** What a person is told of besides the state itself. */
export type CallNotice =
  { kind: 'failed'; step: 'start' | 'answer' | 'change'; error: unknown } | { kind: 'elsewhere' };

interface Dependencies {
  selfId: string;
  deviceId: string;
  api: CallApi;
  line: Pick<SocketLine, 'isOpen' | 'subscribe' | 'onChange'>;
  timers: Timers;
  failureOf: (error: unknown) => CallFailure;
  /** What the other side's offer is answered with, where it came while the call rang. */
  prepared?: () => Record<string, unknown> | null;
  onNotice: (notice: CallNotice) => void;
}

export interface CallsState {
  live: LiveCall | null;
}

/** How much longer than it rings one waits for the server to say that nobody answered. */
const graceMs = 5_000;
const retryMs = 1_500;
const mostTries = 8;

/** The one call of this tab: rings, answers, ends, and keeps up with what the server says. */
export function createCallEngine(dependencies: Dependencies) {
  const { selfId, deviceId, api, line, timers, failureOf, onNotice } = dependencies;
  const store = createStore<CallsState>(() => ({ live: null }));
  let stops: (() => void)[] = [];
  let cancelRinging: (() => void) | null = null;
  /** A call that rang while there was another one: it may ring still when that one is over. */
  let skipped = false;

  const live = () => store.getState().live;
  const viewer = () => ({ selfId, deviceId, now: timers.now() });
  const setLive = (next: LiveCall | null): void => {
    const before = live();
    if (before === next) return;
    store.setState({ live: next });
    watchRinging(before, next);
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
    const before = live();
    const next = nextLive(before, call, viewer());
    if (before && before.call?.id !== call.id && next === before && before.phase !== 'ended') {
      const me = call.participants.find(({ userId }) => userId === selfId);
      skipped ||= me?.state === 'ringing' && call.status !== 'ended';
      return;
    }
    setLive(next);
    const me = call.participants.find(({ userId }) => userId === selfId);
    if (before?.phase === 'incoming' && !next && me?.state === 'joined') onNotice({ kind: 'elsewhere' });
    if (next?.call && next.phase === 'incoming') void learnPeople(next.call);
  };

  /** Frames name nobody: who calls is asked for. */
  const learnPeople = async (call: Call): Promise<void> => {
    if (call.participants.every(({ user, userId }) => user !== null || userId === selfId)) return;
    const known = await api.get(call.id).catch(() => null);
    const now = live();
    if (known && now?.call?.id === known.id) patch({ call: withKnownPeople(known, now.call) });
  };

  const isPhase = (phase: LiveCall['phase'], id: string | undefined) =>
    live()?.phase === phase && live()?.call?.id === id;

  function watchRinging(before: LiveCall | null, next: LiveCall | null): void {
    const rings = (one: LiveCall | null) => one?.phase === 'outgoing' || one?.phase === 'incoming';
    if (rings(before) && rings(next) && before?.call?.id === next?.call?.id) return;
    cancelRinging?.();
    cancelRinging = null;
    const id = next?.call?.id;
    if (!rings(next) || id === undefined || !next) return;
    // The server ends it; this is for when its word was lost.
    cancelRinging = timers.after(limits.callRingMs + graceMs, () => {
      void refresh(id).then(() => {
        if (isPhase('outgoing', id)) engine.end();
        if (isPhase('incoming', id)) setLive(null);
      });
    });
  }

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
    // What this tab is in goes before what rings.
    const open = calls.filter(({ status }) => status !== 'ended');
    const mine = open.find(({ participants }) =>
      participants.some((one) => one.userId === selfId && one.deviceId === deviceId && one.state !== 'left'),
    );
    if (mine) apply(mine);
    for (const call of open) if (call !== mine) apply(call);
  }

  /** Tells the server until it has heard it: the other side waits for this word. */
  const insist = async (task: () => Promise<Call>, tries = 0): Promise<void> => {
    try {
      apply(await task());
    } catch (error) {
      if (!failureOf(error).passing || tries >= mostTries) return;
      timers.after(retryMs, () => void insist(task, tries + 1));
    }
  };

  const change = async (asked: CallChange): Promise<boolean> => {
    const id = live()?.call?.id;
    if (id === undefined) return false;
    try {
      apply(await api.update(id, { ...asked, deviceId }));
      return true;
    } catch (error) {
      if (failureOf(error).code === 'call_over') await refresh(id);
      else onNotice({ kind: 'failed', step: 'change', error });
      return false;
    }
  };

  const engine = {
    store,
    deviceId,
    start(): void {
      stops = [
        line.subscribe('call_initiated', ({ call }) => apply(call)),
        line.subscribe('call_changed', ({ call }) => apply(call)),
        line.subscribe('call_ended', ({ call }) => apply(call)),
        line.onChange((open) => {
          if (open) void resync();
        }),
      ];
      if (line.isOpen) void resync();
    },
    stop(): void {
      for (const stop of stops) stop();
      stops = [];
      cancelRinging?.();
      cancelRinging = null;
    },
    /** Calls somebody; where they are calling right now, that call is answered instead. */
    async begin(target: CallTarget, type: CallType): Promise<void> {
      const now = live();
      if (now && now.phase !== 'ended') {
        const crossing = now.phase === 'incoming' && 'conversationId' in target;
        if (crossing && now.conversationId === target.conversationId) await engine.answer(type === 'video');
        return;
      }
      const attempt = startingCall('conversationId' in target ? target.conversationId : null, type);
      setLive(attempt);
      try {
        const conversationId =
          'conversationId' in target ? target.conversationId : await api.conversationWith(target.userId);
        const call = await api.initiate(conversationId, type, deviceId);
        const asked = live();
        // A frame about it was faster than the answer.
        if (asked?.call?.id === call.id) apply(call);
        // The answer says which call it is, also of one that is over at once.
        else if (asked === attempt) setLive(nextLive({ ...attempt, call }, call, viewer()));
        // Given up before it began.
        else void insist(() => api.end(call.id));
      } catch (error) {
        if (live() !== attempt) return;
        setLive(null);
        onNotice({ kind: 'failed', step: 'start', error });
        void resync();
      }
    },
    async answer(withCamera: boolean): Promise<void> {
      const now = live();
      if (now?.phase !== 'incoming' || !now.call || now.answering) return;
      const { id } = now.call;
      patch({ answering: true, withCamera });
      try {
        apply(await api.answer(id, deviceId, dependencies.prepared?.() ?? undefined));
      } catch (error) {
        const { code } = failureOf(error);
        if (live()?.call?.id !== id) return;
        if (code === 'call_answered_elsewhere' || code === 'call_over' || code === 'call_not_found') {
          setLive(null);
          if (code === 'call_answered_elsewhere') onNotice({ kind: 'elsewhere' });
          return;
        }
        patch({ answering: false });
        onNotice({ kind: 'failed', step: 'answer', error });
      }
    },
    decline(): void {
      const id = live()?.call?.id;
      if (live()?.phase !== 'incoming' || id === undefined) return;
      setLive(null);
      void insist(() => api.decline(id));
    },
    /** Hangs up, or takes a call back that still rings. */
    end(): void {
      const now = live();
      if (!now || now.phase === 'ended') return;
      setLive(null);
      const id = now.call?.id;
      if (id !== undefined) void insist(() => api.end(id));
    },
    /** The others are gone without a word. */
    lost(ending: 'disconnected' | 'failed' = 'disconnected'): void {
      const now = live();
      if (!now?.call || now.phase === 'ended') return;
      const { id } = now.call;
      setLive({ ...now, phase: 'ended', ending, endedAt: timers.now() });
      void insist(() => api.end(id));
    },
    /** Sound or pictures arrive. */
    flowing(): void {
      const now = live();
      if (now?.phase !== 'connecting' || !now.call) return;
      const { id } = now.call;
      setLive({ ...now, phase: 'connected', call: { ...now.call, status: 'connected' }, talkingSince: timers.now() });
      void insist(() => api.update(id, { status: 'connected', deviceId }));
    },
    upgrade: () => change({ type: 'video' }),
    toRoom: () => change({ mode: 'room' }),
    async invite(userId: string): Promise<void> {
      const id = live()?.call?.id;
      if (id !== undefined) apply(await api.invite(id, userId));
    },
    /** Takes up a call by its address, where it is one of this tab. */
    open: refresh,
    setMinimised: (minimised: boolean) => patch({ minimised }),
    /** Takes what has ended off the screen. */
    dismiss(): void {
      if (live()?.phase === 'ended') setLive(null);
    },
  };
  return engine;
}

export type CallEngine = ReturnType<typeof createCallEngine>;
