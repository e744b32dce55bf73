import { hash } from 'node:crypto';
import type { Bus } from '@nolo/kit/bus';
import type { Clock } from '@nolo/kit/clock';
import { failGateway } from '../errors.ts';
import { onSessionsEnded } from '../sessionEnds.ts';

/** What identity says of a session's token or a personal access token. */
export interface LiveSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly expiresAt: Date | undefined;
  /** What a personal access token may do, whose id then stands for that of a session; a session itself may do all. */
  readonly scopes?: readonly string[];
  /** When the account, which is closed, is deleted. */
  readonly deletesAt?: Date | undefined;
}

export interface SessionCache {
  /**
   * Whose session a token is, from memory or from `ask`, which is called once however many want to know.
   *
   * @throws AppError session_invalid for a session that has ended, and whatever `ask` throws
   */
  find(token: string, ask: () => Promise<LiveSession>): Promise<LiveSession>;
  /** Something about this account's sessions has just changed here: the next request asks anew. */
  recheck(userId: string): void;
  /** Hears of ends until what it returns is called. */
  follow(bus: Bus): () => void;
}

/** So long is a session taken for a live one where the word that it ended was lost. */
const rememberedMs = 10_000;
const mostRemembered = 10_000;

/**
 * How long an end is remembered: longer than a session may be remembered anywhere, here or in identity's own cache
 * (60 s), so that an answer which was on its way when the session ended brings nothing back.
 */
const endedMs = 120_000;
const mostEnded = 50_000;

interface Remembered {
  readonly session: LiveSession;
  readonly untilMs: number;
}

/** Maps keep the order of insertion, which here is that of the ends. */
function dropOld<Value>(map: Map<string, Value>, most: number, isOver: (value: Value) => boolean): void {
  for (const [key, value] of map) {
    if (map.size <= most && !isOver(value)) return;
    map.delete(key);
  }
}

/** Kept by a hash of the token: what lies in memory signs nobody in. */
const keyOf = (token: string): string => hash('sha256', token, 'base64url');

/** Spares identity most of the questions whose session a token is. A session that ended is refused from then on. */
export function createSessionCache({ clock }: { clock: Clock }): SessionCache {
  const remembered = new Map<string, Remembered>();
  const underWay = new Map<string, Promise<LiveSession>>();
  const ended = new Map<string, number>();
  /** Goes up when what is under way may be outdated already. */
  let version = 0;
  const now = () => clock.now().getTime();

  const ifLive = (session: LiveSession): LiveSession => {
    if (!ended.has(session.sessionId)) return session;
    throw failGateway('unauthenticated', 'session_invalid', 'Your session has ended. Sign in again.');
  };

  const remember = (key: string, session: LiveSession) => {
    const at = now();
    dropOld(remembered, mostRemembered - 1, ({ untilMs }) => untilMs <= at);
    // Deleted first, so that it takes its place at the end.
    remembered.delete(key);
    const untilMs = Math.min(at + rememberedMs, session.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    remembered.set(key, { session, untilMs });
  };

  const lookUp = (key: string, ask: () => Promise<LiveSession>): Promise<LiveSession> => {
    const begun = version;
    const asking = ask()
      .then((session) => {
        // That an account was kept holds at once, at every gateway.
        if (begun === version && !session.deletesAt) remember(key, session);
        return session;
      })
      .finally(() => {
        if (underWay.get(key) === asking) underWay.delete(key);
      });
    underWay.set(key, asking);
    return asking;
  };

  /** Whoever asks from now on gets an answer that begins now. */
  const outdate = () => {
    version += 1;
    underWay.clear();
  };

  return {
    async find(token, ask) {
      const key = keyOf(token);
      const known = remembered.get(key);
      if (known && known.untilMs > now()) return ifLive(known.session);
      return ifLive(await (underWay.get(key) ?? lookUp(key, ask)));
    },

    recheck(userId) {
      outdate();
      for (const [key, { session }] of remembered) if (session.userId === userId) remembered.delete(key);
    },

    follow(bus) {
      const endNotices = onSessionsEnded(bus, ({ sessionIds }) => {
        const at = now();
        for (const sessionId of sessionIds) ended.set(sessionId, at + endedMs);
        dropOld(ended, mostEnded, (untilMs) => untilMs <= at);
      });
      // Ends that were told meanwhile were not heard.
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
