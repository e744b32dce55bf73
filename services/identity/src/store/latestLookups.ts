import type { Log } from '@nolo/kit/log';
import type { Redis } from '@nolo/kit/redis';
import type { LatestLookupStore } from '../domain/peoplePorts.ts';

/** Maximum pause between two keystrokes. */
const keptSeconds = 60;

const keyOf = (actor: string) => `lookup:${actor}`;

/**
 * Checks and updates in one step: only one of several requests that extend the same text succeeds, and the others must
 * extend what it wrote. Otherwise one counted prefix would pay for all its endings.
 */
const goOnScript = `
local before = redis.call('get', KEYS[1])
if not before or string.sub(ARGV[1], 1, #before) ~= before then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'EX', ${keptSeconds})
return 1`;

/** Stores lookups in Redis for a minute. If Redis is down, every lookup counts. */
export function createLatestLookupStore(redis: Redis, log: Log): LatestLookupStore {
  const quietly = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      log.debug({ err: error }, 'last lookup unavailable');
      return undefined;
    }
  };
  return {
    goesOn: async (actor, text) => (await quietly(() => redis.eval(goOnScript, 1, keyOf(actor), text))) === 1,
    async begin(actor, text) {
      await quietly(() => redis.set(keyOf(actor), text, 'EX', keptSeconds));
    },
  };
}
