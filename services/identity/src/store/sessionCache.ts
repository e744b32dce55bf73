import type { SessionId, UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { Redis } from '@nolo/kit/redis';
import type { LiveSession, SessionCache } from '../domain/ports.ts';

/** Cache lifetime: how long a session that ended while Redis was down may still count as live. */
const cachedSeconds = 60;
/** Exceeds the duration of any lookup. */
const endedSeconds = 60;
const ended = 'ended';

const keyOf = (tokenHash: Buffer) => `session:${tokenHash.toString('base64url')}`;

function parse(value: string): LiveSession {
  const [sessionId, userId, expiresAt] = value.split(' ');
  return { sessionId: sessionId as SessionId, userId: userId as UserId, expiresAt: new Date(Number(expiresAt)) };
}

export function createSessionCache(redis: Redis, log: Log): SessionCache {
  const quietly = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      log.debug({ err: error }, 'session cache is unavailable');
      return undefined;
    }
  };
  return {
    async get(tokenHash) {
      const value = await quietly(() => redis.get(keyOf(tokenHash)));
      return value && value !== ended ? parse(value) : undefined;
    },
    async put(tokenHash, { sessionId, userId, expiresAt }) {
      // NX: a lookup that began before the session ended must not overwrite the `ended` marker.
      const value = `${sessionId} ${userId} ${expiresAt.getTime()}`;
      await quietly(() => redis.set(keyOf(tokenHash), value, 'EX', cachedSeconds, 'NX'));
    },
    async forget(tokenHashes) {
      await quietly(async () => {
        const pipeline = redis.pipeline();
        for (const tokenHash of tokenHashes) pipeline.set(keyOf(tokenHash), ended, 'EX', endedSeconds);
        await pipeline.exec();
      });
    },
  };
}
