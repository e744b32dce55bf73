import type { Clock } from '@nolo/kit/clock';
import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import type { Messages } from './domain/sharedPorts.ts';

/** A film is read in hundreds of ranges; who leaves a conversation reads on for so long at most, where no word of it came. */
const rememberedMs = 3_000;
const mostRemembered = 10_000;
/** As many as chat takes in one call. */
const mostAtOnce = 500;

export interface RememberedMessages extends Messages {
  /** Somebody has left a conversation, whose files they may have been reading: chat is asked anew. */
  forget(actorId: string): void;
}

/** Asks chat, and remembers permissions for a moment. Refusals are not remembered: a message may be just on its way. */
export function createChatMessages(
  chat: Pick<RpcClient<typeof ChatServiceService>, 'canReadFile' | 'listNamedFiles'>,
  clock: Clock,
): RememberedMessages {
  /** How often anybody left; what was asked before that is not remembered. */
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
      if (allowedUntil.size >= mostRemembered) allowedUntil.clear();
      allowedUntil.set(place, now + rememberedMs);
      return true;
    },

    forget(actorId) {
      leavings += 1;
      for (const place of allowedUntil.keys()) if (place.startsWith(`${actorId} `)) allowedUntil.delete(place);
    },

    async listNamed(fileIds) {
      const named: FileId[] = [];
      for (let start = 0; start < fileIds.length; start += mostAtOnce) {
        const answer = await chat.listNamedFiles({ fileIds: fileIds.slice(start, start + mostAtOnce) });
        for (const id of answer.fileIds) {
          const known = parseId<FileId>(id);
          if (known) named.push(known);
        }
      }
      return named;
    },
  };
}
