import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { StatusServiceService } from '@nolo/proto/status';
import type { Messages } from './domain/sharedPorts.ts';

/** Maximum number of files per call to status. */
const mostAtOnce = 500;

/** Queries status. Nothing is cached: a status update expires to the second, and a block applies at once. */
export function createStatusUpdates(
  status: Pick<RpcClient<typeof StatusServiceService>, 'canReadStatusFile' | 'listStatusFiles'>,
): Messages {
  return {
    async canRead(actorId, fileId) {
      const { allowed, until } = await status.canReadStatusFile({ actorId, fileId });
      return allowed && (until ?? true);
    },

    async listNamed(fileIds) {
      const named: FileId[] = [];
      for (let start = 0; start < fileIds.length; start += mostAtOnce) {
        const answer = await status.listStatusFiles({ fileIds: fileIds.slice(start, start + mostAtOnce) });
        named.push(...answer.fileIds.map((id) => parseId<FileId>(id)).filter((id) => id !== undefined));
      }
      return named;
    },
  };
}

/** Combines both, messages first because they are more common. If one is unavailable, the other still grants access. */
export function eitherOf(messages: Messages, updates: Messages): Messages {
  return {
    async canRead(actorId, fileId) {
      const asked = await messages.canRead(actorId, fileId).catch((error: unknown) => ({ error }));
      if (asked === true) return true;
      if (asked instanceof Date) return asked;
      const until = await updates.canRead(actorId, fileId);
      if (until !== false) return until;
      if (asked !== false) throw asked.error;
      return false;
    },

    async listNamed(fileIds) {
      const [inMessages, inUpdates] = await Promise.all([messages.listNamed(fileIds), updates.listNamed(fileIds)]);
      return [...new Set([...inMessages, ...inUpdates])];
    },
  };
}
