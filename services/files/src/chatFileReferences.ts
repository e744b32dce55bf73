import type { Clock } from '@nolo/kit/clock';
import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { FileReferences } from './domain/sharedPorts.ts';

/**
 * Cache time of permissions. A video is read in hundreds of ranges; without a notification, a person who left a
 * conversation can read on for this long.
 */
const rememberedMs = 3_000;
const maxRememberedAccesses = 10_000;
/** Maximum number of files per call to chat. */
const maxIdsPerCall = 500;

export interface CachedFileReferences extends FileReferences {
  /** Clears cached permissions of a person who left a conversation, so that chat is queried again. */
  forget(actorId: string): void;
}

/** Queries chat and caches permissions briefly. Refusals are not cached: a message may be just arriving. */
export function createChatFileReferences(
  chat: Pick<RpcClient<typeof ChatServiceDefinition>, 'canReadFile' | 'listNamedFiles'>,
  clock: Clock,
): CachedFileReferences {
  /** Number of departures so far; results of earlier queries are not cached. */
  let leavings = 0;
  const allowedUntil = new Map<string, number>();

  return {
    async canRead(actorId, fileId) {
      const place = `${actorId} ${fileId}`;
      const now = clock.now().getTime();
      if ((allowedUntil.get(place) ?? 0) > now) return true;
      allowedUntil.delete(place);
      const before = leavings;
      const { allowed } = await chat.canReadFile({ actorId, fileId });
      if (!allowed) return false;
      if (leavings !== before) return true;
      if (allowedUntil.size >= maxRememberedAccesses) allowedUntil.clear();
      allowedUntil.set(place, now + rememberedMs);
      return true;
    },

    forget(actorId) {
      leavings += 1;
      for (const place of allowedUntil.keys()) if (place.startsWith(`${actorId} `)) allowedUntil.delete(place);
    },

    async listNamed(fileIds) {
      const named: FileId[] = [];
      for (let start = 0; start < fileIds.length; start += maxIdsPerCall) {
        const answer = await chat.listNamedFiles({ fileIds: fileIds.slice(start, start + maxIdsPerCall) });
        for (const id of answer.fileIds) {
          const known = parseId<FileId>(id);
          if (known) named.push(known);
        }
      }
      return named;
    },
  };
}
