import type { MeetingId } from '@nolo/kit/ids';
import { cacheError, type Redis } from '@nolo/kit/redis';
import type { BarredAddresses } from '../domain/ports.ts';

/** Time during which guests from an address are refused after a removal. */
const barredSeconds = 600;

export function createBarredAddresses(redis: Redis): BarredAddresses {
  const key = (meetingId: MeetingId, address: string) => `barred:${meetingId}:${address}`;
  return {
    async bar(meetingId, address) {
      if (address === '') return;
      await redis.set(key(meetingId, address), '1', 'EX', barredSeconds).catch((error: unknown) => {
        throw cacheError(error) ?? error;
      });
    },
    // If Redis is down, nobody can enter a room anyway.
    isBarred: async (meetingId, address) =>
      address !== '' && (await redis.exists(key(meetingId, address)).catch(() => 0)) === 1,
  };
}
