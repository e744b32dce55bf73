import type { CallChange, CallDependencies } from './callPorts.ts';
import type { LiveCallTracker } from './liveCallTracker.ts';

/** Changes an ongoing call: video, a room, one more person. */
export function createCallUpdateActions(
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
