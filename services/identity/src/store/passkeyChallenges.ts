import { createHash } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import { toCacheError, type Redis } from '@nolo/kit/redis';
import { limits } from '@nolo/rules';
import type { PasskeyChallengeStore, PasskeyPurpose } from '../domain/passkeyPorts.ts';

/** Returns a key of fixed size, whatever challenge a client sends. */
const keyOf = (challenge: string) => `passkey:${createHash('sha256').update(challenge).digest('base64url')}`;

/**
 * Stores challenges in Redis, where they expire by themselves: every view of the sign-in form requests one and most are
 * never answered. If Redis is emptied or down, users start over, and nobody gains access.
 */
export function createPasskeyChallengeStore(redis: Redis, clock: Clock): PasskeyChallengeStore {
  const withRedis = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toCacheError(error) ?? error;
    }
  };
  return {
    async keep(challenge, purpose) {
      const seconds = limits.passkeyChallengeSeconds;
      const kept = { purpose, until: clock.now().getTime() + seconds * 1_000 };
      await withRedis(() => redis.set(keyOf(challenge), JSON.stringify(kept), 'EX', seconds));
    },
    async take(challenge) {
      const text = await withRedis(() => redis.getdel(keyOf(challenge)));
      if (text === null) return undefined;
      const { purpose, until } = JSON.parse(text) as { purpose: PasskeyPurpose; until: number };
      return until > clock.now().getTime() ? purpose : undefined;
    },
  };
}
