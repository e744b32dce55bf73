import type { Call } from '@nolo/api';
import { isHere, placeOf, type LiveCall, type Viewer } from './callPhase.ts';

/** So many calls that were hung up here are remembered. */
const most = 20;

/** The calls that were hung up here: news of them may be on the way still, and brings this tab back into none of them. */
export function createHungUp() {
  const ids = new Set<string>();
  /** How many calls the server was asked for and has not named yet. */
  let asking = 0;
  return {
    add(id: string): void {
      ids.add(id);
      for (const oldest of ids) if (ids.size > most) ids.delete(oldest);
    },
    /** Asks for a call, which may be given up before the answer names it. */
    async asking(ask: () => Promise<Call>): Promise<Call> {
      asking += 1;
      try {
        return await ask();
      } finally {
        asking -= 1;
      }
    },
    /** Whether what is told of a call comes too late: it was hung up, perhaps before the server had named it. */
    isTooLate(call: Call, live: LiveCall | null, viewer: Viewer): boolean {
      // Somebody rings one into it anew.
      if (placeOf(call, viewer) === 'incoming') ids.delete(call.id);
      if (!isHere(call, viewer)) return false;
      return ids.has(call.id) || (asking > 0 && (live === null || live.phase === 'ended'));
    },
  };
}
