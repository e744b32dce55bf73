import type { Call } from '@nolo/api';

/** Maximum number of calls remembered. */
const maxCalls = 50;

/**
 * Tracks the newest version of each call. Frames and answers arrive in any order: an older one must not reset a call,
 * let an ended call ring, or bring back a participant who left.
 */
export function createCallVersionTracker() {
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
