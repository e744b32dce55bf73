import type { Clock } from '@nolo/kit/clock';
import { createIdentityError } from '../errors.ts';
import type { LiveSession, SessionCache, SessionStore } from './ports.ts';
import { hashToken, looksLikeToken, computeRenewal } from './sessions.ts';

export interface SessionTokenResolverOptions {
  sessions: SessionStore;
  cache: SessionCache;
  clock: Clock;
  /** Called if recording the use failed. The response does not wait for it. */
  onTouchFailed: (error: unknown) => void;
}

/**
 * Resolves a token. Postgres is authoritative and the cache merely saves queries, so an empty or failed cache signs
 * nobody out. Use of a session is recorded asynchronously and only on cache misses, so the busiest client causes one
 * small write every five minutes.
 *
 * @throws AppError session_invalid
 */
export function createSessionTokenResolver(
  options: SessionTokenResolverOptions,
): (token: string) => Promise<LiveSession> {
  const { sessions, cache, clock } = options;
  return async (token) => {
    const now = clock.now();
    if (looksLikeToken(token)) {
      const tokenHash = hashToken(token);
      const cached = await cache.get(tokenHash);
      if (cached && cached.expiresAt > now) return cached;
      const stored = await sessions.findByToken(tokenHash, now);
      if (stored) {
        const renewed = computeRenewal(stored, now);
        if (renewed) sessions.touch(stored.sessionId, renewed).catch(options.onTouchFailed);
        const live = {
          sessionId: stored.sessionId,
          userId: stored.userId,
          expiresAt: renewed?.expiresAt ?? stored.expiresAt,
          ...(stored.deletesAt && { deletesAt: stored.deletesAt }),
        };
        // Sessions of closed accounts are rarely used, and keeping the account must take effect at once.
        if (!live.deletesAt) await cache.put(tokenHash, live);
        return live;
      }
    }
    throw createIdentityError('unauthenticated', 'session_invalid', 'You are logged out.');
  };
}
