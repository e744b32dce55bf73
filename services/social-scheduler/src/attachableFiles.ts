import type { RpcClient } from '@nolo/kit/rpc';
import type { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import type { AttachableFiles, FileFacts } from './domain/ports.ts';

/** A picture that comes in one piece is made when it is first needed, which may take its time. */
const timeoutMs = 30_000;
/** Files tells of so many at once; a post may have twice as many. */
const askedAtOnce = 10;

/** Asks files, which also keeps what is about to be posted from being swept away. Only one's own can be posted. */
export function createAttachableFiles(
  files: Pick<RpcClient<typeof SharedFileServiceService>, 'checkAttachable'>,
): AttachableFiles {
  return async (actorId, fileIds) => {
    const found: FileFacts[] = [];
    for (let from = 0; from < fileIds.length; from += askedAtOnce) {
      const request = { actorId, fileIds: fileIds.slice(from, from + askedAtOnce), receivedIds: [] };
      const { files: facts } = await files.checkAttachable(request, { timeoutMs });
      for (const { kind, contentType, size, width = 0, height = 0 } of facts) {
        const known = kind === 'image' || kind === 'video' ? kind : 'other';
        found.push({ kind: known, mimeType: contentType, bytes: Number(size), width, height });
      }
    }
    return found;
  };
}
