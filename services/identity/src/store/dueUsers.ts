import type { UserId } from '@nolo/kit/ids';
import type { Redis } from '@nolo/kit/redis';
import type { DueUserQueue } from '../domain/ports.ts';

/**
 * Stores users by the time in milliseconds at which an action is due. Uses Redis, so any replica may act.
 *
 * @param onScheduled called after this replica stored a user
 */
export function createDueUserQueue(redis: Redis, key: string, onScheduled: () => void = () => undefined): DueUserQueue {
  return {
    async recordLastSeen(userId, dueAt) {
      await redis.zadd(key, dueAt.getTime(), userId);
      onScheduled();
    },
    async scheduleIfAbsent(userId, dueAt) {
      const isFirst = (await redis.zadd(key, 'NX', dueAt.getTime(), userId)) === 1;
      onScheduled();
      return isFirst;
    },
    cancel: async (userId) => (await redis.zrem(key, userId)) === 1,
    async filterScheduled(userIds) {
      const dueAt = userIds.length === 0 ? [] : await redis.zmscore(key, ...userIds);
      return userIds.filter((_, index) => typeof dueAt[index] === 'string');
    },
    async next() {
      const [, dueAt] = await redis.zrange(key, 0, '0', 'WITHSCORES');
      return dueAt === undefined ? undefined : new Date(Number(dueAt));
    },
    async take(now, limit) {
      const due = await redis.zrangebyscore(key, '-inf', now.getTime(), 'LIMIT', 0, limit);
      if (due.length === 0) return [];
      const pipeline = redis.pipeline();
      for (const userId of due) pipeline.zrem(key, userId);
      const removed = (await pipeline.exec()) ?? [];
      return due.filter((_, index) => removed[index]?.[1] === 1) as UserId[];
    },
  };
}
