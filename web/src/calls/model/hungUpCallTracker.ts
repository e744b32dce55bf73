import type { Call } from '@nolo/api';
import { isInThisTab, toCallPhaseInTab, type LiveCall, type CallViewer } from './callPhase.ts';

/** Maximum number of calls remembered that were hung up here. */
const maxCalls = 20;

/** Tracks calls that were hung up here: delayed updates must not bring this tab back into them. */
export function createHungUpCallTracker() {
  const ids = new Set<string>();
  /** Number of call requests that the server has not answered yet. */
  let pendingCount = 0;
  return {
    add(id: string): void {
      ids.add(id);
      for (const oldest of ids) if (ids.size > maxCalls) ids.delete(oldest);
    },
    /** Requests a call that may be canceled before the answer names it. */
    async trackPending(request: () => Promise<Call>): Promise<Call> {
      pendingCount += 1;
      try {
        return await request();
      } finally {
        pendingCount -= 1;
      }
    },
    /** Returns true if an update comes too late: the call was hung up, perhaps before the server had named it. */
    isTooLate(call: Call, live: LiveCall | null, viewer: CallViewer): boolean {
      // The user is being rung into it again.
      if (toCallPhaseInTab(call, viewer) === 'incoming') ids.delete(call.id);
      if (!isInThisTab(call, viewer)) return false;
      return ids.has(call.id) || (pendingCount > 0 && (live === null || live.phase === 'ended'));
    },
  };
}
