import type { Call } from '@nolo/api';
import { isHere, placeOf, type LiveCall, type Viewer } from './callPhase.ts';

/** Maximum number of calls remembered that were hung up here. */
const most = 20;

/** Tracks calls that were hung up here: delayed updates must not bring this tab back into them. */
export function createHungUp() {
  const ids = new Set<string>();
  /** Number of call requests that the server has not answered yet. */
  let asking = 0;
  return {
    add(id: string): void {
      ids.add(id);
      for (const oldest of ids) if (ids.size > most) ids.delete(oldest);
    },
    /** Requests a call that may be canceled before the answer names it. */
    async asking(ask: () => Promise<Call>): Promise<Call> {
      asking += 1;
      try {
        return await ask();
      } finally {
        asking -= 1;
      }
    },
    /** Returns true if an update comes too late: the call was hung up, perhaps before the server had named it. */
    isTooLate(call: Call, live: LiveCall | null, viewer: Viewer): boolean {
      // The user is being rung into it again.
      if (placeOf(call, viewer) === 'incoming') ids.delete(call.id);
      if (!isHere(call, viewer)) return false;
      return ids.has(call.id) || (asking > 0 && (live === null || live.phase === 'ended'));
    },
  };
}
