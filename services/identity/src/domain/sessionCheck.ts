import type { Clock } from '@nolo/kit/clock';
import { failIdentity } from '../errors.ts';
import type { LiveSession, SessionCache, Sessions } from './ports.ts';
import { hashToken, looksLikeToken, renewal } from './sessions.ts';

export interface SessionCheckOptions {
  sessions: Sessions;
  cache: SessionCache;
  clock: Clock;
  /** Told when noting the use failed; the answer does not wait for it. */
  onTouchFailed: (error: unknown) => void;
}

/**
 * Resolves a token. Postgres has the truth, the cache only spares it most of the questions: an emptied or
 * silent cache signs nobody out. That a session is used is noted on the side, and only on the way past the
 * cache, so that the busiest client causes one small write in five minutes.
 *
 * @throws AppError session_invalid
 */
export function createSessionCheck(options: SessionCheckOptions): (token: string) => Promise<LiveSession> {
  const { sessions, cache, clock } = options;
  return async (token) => {
    const now = clock.now();
    if (looksLikeToken(token)) {
      const tokenHash = hashToken(token);
      const cached = await cache.get(tokenHash);
      if (cached && cached.expiresAt > now) return cached;
      const stored = await sessions.findByToken(tokenHash, now);
      if (stored) {
        const renewed = renewal(stored, now);
        if (renewed) sessions.touch(stored.sessionId, renewed).catch(options.onTouchFailed);
        const live = {
          sessionId: stored.sessionId,
          userId: stored.userId,
          expiresAt: renewed?.expiresAt ?? stored.expiresAt,
          ...(stored.deletesAt && { deletesAt: stored.deletesAt }),
        };
        // With one of a closed account little is asked, and that it was kept holds at once.
        if (!live.deletesAt) await cache.put(tokenHash, live);
        return live;
      }
    }
    throw failIdentity('unauthenticated', 'session_invalid', 'You are logged out.');
  };
}
