import type { CallType } from '@nolo/rules';
import { computeNextLiveCall, createStartingCall } from './callPhase.ts';
import type { PersonTarget } from '../../chat/calling/callRequests.ts';
import { createLiveCallTracker, type LiveCallTracker } from './liveCallTracker.ts';
import type { CallDependencies, CallChange } from './callPorts.ts';

/** Changes an ongoing call: video, a room, one more person. */
function createCallUpdateActions(
  { deviceId, api, failureOf, onNotice }: CallDependencies,
  { live, apply, refresh }: LiveCallTracker,
) {
  const change = async (requestedChange: CallChange): Promise<boolean> => {
    const id = live()?.call?.id;
    if (id === undefined) return false;
    try {
      apply(await api.update(id, { ...requestedChange, deviceId }));
      return true;
    } catch (error) {
      if (failureOf(error).code === 'call_over') await refresh(id);
      else onNotice({ kind: 'failed', step: 'change', error });
      return false;
    }
  };

  return {
    upgrade: () => change({ type: 'video' }),
    toRoom: () => change({ mode: 'room' }),
    async invite(userId: string): Promise<void> {
      const id = live()?.call?.id;
      if (id !== undefined) apply(await api.invite(id, userId));
    },
  };
}

/** Runs this tab's single call: rings, answers, ends, and follows the server's state. */
export function createCallEngine(dependencies: CallDependencies) {
  const { deviceId, api, socket, timers, failureOf, onNotice } = dependencies;
  const state = createLiveCallTracker(dependencies);
  const { store, live, viewer, setLive, patch, apply, refresh, resync, insist, initiate, hangUp, end } = state;
  let stops: (() => void)[] = [];

  const engine = {
    store,
    deviceId,
    start(): void {
      stops = [
        socket.subscribe('call_initiated', ({ call }) => apply(call)),
        socket.subscribe('call_changed', ({ call }) => apply(call)),
        socket.subscribe('call_ended', ({ call }) => apply(call)),
        socket.onChange((open) => {
          if (open) void resync();
        }),
      ];
      if (socket.isOpen) void resync();
    },
    stop(): void {
      for (const stop of stops) stop();
      stops = [];
      state.stop();
    },
    /** Calls a user; if that user is calling right now, answers instead. */
    async begin(target: PersonTarget, type: CallType): Promise<void> {
      const now = live();
      if (now && now.phase !== 'ended') {
        const crossing = now.phase === 'incoming' && 'conversationId' in target;
        if (crossing && now.conversationId === target.conversationId) await engine.answer(type === 'video');
        return;
      }
      const attempt = createStartingCall('conversationId' in target ? target.conversationId : null, type);
      setLive(attempt);
      try {
        const conversationId =
          'conversationId' in target ? target.conversationId : await api.conversationWith(target.userId);
        const call = await initiate(conversationId, type, deviceId);
        const liveBefore = live();
        // A frame about it arrived before the answer.
        if (liveBefore?.call?.id === call.id) apply(call);
        // The answer identifies the call, even one that is over at once.
        else if (liveBefore === attempt) setLive(computeNextLiveCall({ ...attempt, call }, call, viewer()));
        // Canceled before it began.
        else hangUp(call.id);
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
    /** Hangs up, or cancels a call that still rings. */
    end,
    /** Ends the call if the others have gone without notice. */
    lost(ending: 'disconnected' | 'failed' = 'disconnected'): void {
      const now = live();
      if (!now?.call || now.phase === 'ended') return;
      const { id } = now.call;
      setLive({ ...now, phase: 'ended', ending, endedAt: timers.now() });
      hangUp(id);
    },
    /** Records that audio or video arrives. */
    flowing(): void {
      const now = live();
      if (now?.phase !== 'connecting' || !now.call) return;
      const { id } = now.call;
      setLive({ ...now, phase: 'connected', call: { ...now.call, status: 'connected' }, talkingSince: timers.now() });
      void insist(() => api.update(id, { status: 'connected', deviceId }));
    },
    ...createCallUpdateActions(dependencies, state),
    /** Loads a call by its address, if it belongs to this tab. */
    open: refresh,
    setMinimised: (minimised: boolean) => patch({ minimised }),
    /** Removes an ended call from the screen. */
    dismiss(): void {
      if (live()?.phase === 'ended') setLive(null);
    },
  };
  return engine;
}

export type CallEngine = ReturnType<typeof createCallEngine>;
