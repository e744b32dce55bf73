import type { Call } from '@nolo/api';

/** How many calls are remembered. */
const most = 50;

/**
 * The newest version seen of each call. Frames and answers arrive in any order: one that is older than what was seen must
 * not take a call back to how it was, let an ended call ring, or bring somebody back who has left.
 */
export function createCallVersions() {
  const seen = new Map<string, { version: number; ended: boolean }>();
  return {
    /** Whether a newer state of the call was seen. */
    isStale({ id, version, status }: Call): boolean {
      const newest = seen.get(id);
      const ended = status === 'ended';
      if (newest?.ended && !ended) return true;
      if (newest && version < newest.version) return true;
      seen.delete(id);
      seen.set(id, { version, ended });
      for (const oldest of seen.keys()) if (seen.size > most) seen.delete(oldest);
      return false;
    },
  };
}
