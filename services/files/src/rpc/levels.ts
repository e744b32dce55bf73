import type { RpcHandlers } from '@nolo/kit/rpc';
import { parseIdPage } from '@nolo/installation/useLog';
import type { LevelServiceDefinition } from '@nolo/proto/usage';
import type { RpcDependencies } from './dependencies.ts';

/** Handlers for stored amounts, used to display them and to compare them with the reported ones. */
export function createStorageLevelHandlers({
  shared,
  clock,
}: Pick<RpcDependencies, 'shared' | 'clock'>): RpcHandlers<typeof LevelServiceDefinition> {
  return {
    async readLevels({ after, limit: requestedLimit, userIds }) {
      const { place, limit, ids: ownerIds } = parseIdPage({ after, limit: requestedLimit, ids: userIds });
      const at = clock.now();
      const levels = await shared.usageOf({ after: place, limit, ownerIds });
      const isLast = ownerIds.length > 0 || levels.length < limit;
      return { levels, at, nextAfter: isLast ? undefined : levels.at(-1)?.userId };
    },
  };
}
