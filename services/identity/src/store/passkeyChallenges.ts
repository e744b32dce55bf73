import { createHash } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import { cacheError, type Redis } from '@nolo/kit/redis';
import { limits } from '@nolo/rules';
import type { PasskeyChallenges, PasskeyPurpose } from '../domain/passkeyPorts.ts';

/** Of one size, whatever somebody sends as a challenge. */
const keyOf = (challenge: string) => `passkey:${createHash('sha256').update(challenge).digest('base64url')}`;

/**
 * Every view of the sign-in form asks for a challenge and most are never answered, so they are in Redis and go by
 * themselves. Where Redis is emptied or away nobody signs in by passkey who would not otherwise: they begin anew.
 */
export function createPasskeyChallenges(redis: Redis, clock: Clock): PasskeyChallenges {
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw cacheError(error) ?? error;
    }
  };
  return {
    async keep(challenge, purpose) {
      const seconds = limits.passkeyChallengeSeconds;
      const kept = { purpose, until: clock.now().getTime() + seconds * 1_000 };
      await ask(() => redis.set(keyOf(challenge), JSON.stringify(kept), 'EX', seconds));
    },
    async take(challenge) {
      const text = await ask(() => redis.getdel(keyOf(challenge)));
      if (text === null) return undefined;
      const { purpose, until } = JSON.parse(text) as { purpose: PasskeyPurpose; until: number };
      return until > clock.now().getTime() ? purpose : undefined;
    },
  };
}
