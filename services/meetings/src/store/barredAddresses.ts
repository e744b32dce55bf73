import type { MeetingId } from '@nolo/kit/ids';
import { toCacheError, type Redis } from '@nolo/kit/redis';
import type { BarredAddressStore } from '../domain/ports.ts';

/** Time during which guests from an address are refused after a removal. */
const barredSeconds = 600;

export function createBarredAddressStore(redis: Redis): BarredAddressStore {
  const key = (meetingId: MeetingId, address: string) => `barred:${meetingId}:${address}`;
  return {
    async bar(meetingId, address) {
      if (address === '') return;
      await redis.set(key(meetingId, address), '1', 'EX', barredSeconds).catch((error: unknown) => {
        throw toCacheError(error) ?? error;
      });
    },
    // If Redis is down, nobody can enter a room anyway.
    isBarred: async (meetingId, address) =>
      address !== '' && (await redis.exists(key(meetingId, address)).catch(() => 0)) === 1,
  };
}
