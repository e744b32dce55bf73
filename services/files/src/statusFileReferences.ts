import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { StatusServiceDefinition } from '@nolo/proto/status';
import type { FileReferences } from './domain/sharedPorts.ts';

/** Maximum number of files per call to status. */
const maxIdsPerCall = 500;

/** Queries status. Nothing is cached: a status update expires to the second, and a block applies at once. */
export function createStatusFileReferences(
  status: Pick<RpcClient<typeof StatusServiceDefinition>, 'canReadStatusFile' | 'listStatusFiles'>,
): FileReferences {
  return {
    async canRead(actorId, fileId) {
      const { allowed, until } = await status.canReadStatusFile({ actorId, fileId });
      return allowed && (until ?? true);
    },

    async listNamed(fileIds) {
      const named: FileId[] = [];
      for (let start = 0; start < fileIds.length; start += maxIdsPerCall) {
        const answer = await status.listStatusFiles({ fileIds: fileIds.slice(start, start + maxIdsPerCall) });
        named.push(...answer.fileIds.map((id) => parseId<FileId>(id)).filter((id) => id !== undefined));
      }
      return named;
    },
  };
}

/** Combines both, messages first because they are more common. If one is unavailable, the other still grants access. */
export function combineFileReferences(messages: FileReferences, updates: FileReferences): FileReferences {
  return {
    async canRead(actorId, fileId) {
      const messageAccess = await messages.canRead(actorId, fileId).catch((error: unknown) => ({ error }));
      if (messageAccess === true) return true;
      if (messageAccess instanceof Date) return messageAccess;
      const until = await updates.canRead(actorId, fileId);
      if (until !== false) return until;
      if (messageAccess !== false) throw messageAccess.error;
      return false;
    },

    async listNamed(fileIds) {
      const [inMessages, inUpdates] = await Promise.all([messages.listNamed(fileIds), updates.listNamed(fileIds)]);
      return [...new Set([...inMessages, ...inUpdates])];
    },
  };
}
