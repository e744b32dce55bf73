import { hash } from 'node:crypto';
import type { Bus } from '@nolo/kit/bus';
import type { Clock } from '@nolo/kit/clock';
import { createGatewayError } from '../errors.ts';
import { onSessionsEnded } from '../sessionEnds.ts';

/** Session or personal access token, as identity describes it. */
export interface LiveSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly expiresAt: Date | undefined;
  /**
   * Scopes of a personal access token, whose ID then replaces the session ID. Absent for sessions, which have no
   * restrictions.
   */
  readonly scopes?: readonly string[];
  /** Deletion time of a closed account. */
  readonly deletesAt?: Date | undefined;
}

export interface SessionCache {
  /**
   * Returns the session of a token, from memory or from `load`, which runs once for concurrent callers.
   *
   * @throws AppError session_invalid for a session that has ended, and whatever `load` throws
   */
  find(token: string, load: () => Promise<LiveSession>): Promise<LiveSession>;
  /** Invalidates an account's remembered sessions after a change here; the next request asks again. */
  recheck(userId: string): void;
  /** Subscribes to ended sessions. Returns a function that unsubscribes. */
  follow(bus: Bus): () => void;
}

/** Maximum time that an ended session still counts as live if its end event is lost. */
const rememberedMs = 10_000;
const maxCachedSessions = 10_000;

/**
 * Retention of ended session IDs. Exceeds every cache lifetime, here and in identity (60 s), so a reply that was in
 * flight when the session ended cannot revive it.
 */
const endedMs = 120_000;
const maxEndedSessions = 50_000;

interface Remembered {
  readonly session: LiveSession;
  readonly untilMs: number;
}

/** Drops expired and excess entries. Relies on insertion order, which is the order in which sessions ended. */
function dropOld<Value>(map: Map<string, Value>, maxEntries: number, isOver: (value: Value) => boolean): void {
  for (const [key, value] of map) {
    if (map.size <= maxEntries && !isOver(value)) return;
    map.delete(key);
  }
}

/** Hashes the token, so cache keys in memory cannot be used to sign in. */
const keyOf = (token: string): string => hash('sha256', token, 'base64url');

/** Caches identity's session lookups. Ended sessions are refused immediately. */
export function createSessionCache({ clock }: { clock: Clock }): SessionCache {
  const remembered = new Map<string, Remembered>();
  const underWay = new Map<string, Promise<LiveSession>>();
  const ended = new Map<string, number>();
  /** Incremented when lookups in flight may be outdated. */
  let version = 0;
  const now = () => clock.now().getTime();

  const ifLive = (session: LiveSession): LiveSession => {
    if (!ended.has(session.sessionId)) return session;
    throw createGatewayError('unauthenticated', 'session_invalid', 'Your session has ended. Sign in again.');
  };

  const remember = (key: string, session: LiveSession) => {
    const at = now();
    dropOld(remembered, maxCachedSessions - 1, ({ untilMs }) => untilMs <= at);
    // Deletes first so that the entry moves to the end.
    remembered.delete(key);
    const untilMs = Math.min(at + rememberedMs, session.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    remembered.set(key, { session, untilMs });
  };

  const lookUp = (key: string, load: () => Promise<LiveSession>): Promise<LiveSession> => {
    const begun = version;
    const loading = load()
      .then((session) => {
        // Accounts pending deletion are never cached, so keeping an account takes effect at once on every gateway.
        if (begun === version && !session.deletesAt) remember(key, session);
        return session;
      })
      .finally(() => {
        if (underWay.get(key) === loading) underWay.delete(key);
      });
    underWay.set(key, loading);
    return loading;
  };

  /** Makes later callers start a new lookup. */
  const outdate = () => {
    version += 1;
    underWay.clear();
  };

  return {
    async find(token, load) {
      const key = keyOf(token);
      const known = remembered.get(key);
      if (known && known.untilMs > now()) return ifLive(known.session);
      return ifLive(await (underWay.get(key) ?? lookUp(key, load)));
    },

    recheck(userId) {
      outdate();
      for (const [key, { session }] of remembered) if (session.userId === userId) remembered.delete(key);
    },

    follow(bus) {
      const endNotices = onSessionsEnded(bus, ({ sessionIds }) => {
        const at = now();
        for (const sessionId of sessionIds) ended.set(sessionId, at + endedMs);
        dropOld(ended, maxEndedSessions, (untilMs) => untilMs <= at);
      });
      // End events are lost while the bus is disconnected.
      const endReconnects = bus.onReconnect(() => {
        outdate();
        remembered.clear();
      });
      return () => {
        endNotices();
        endReconnects();
      };
    },
  };
}
