import type { RpcClient } from '@nolo/kit/rpc';
import type { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import type { AttachableFiles } from './domain/ports.ts';

/** A picture that comes in one piece is made when it is first needed, which may take its time. */
const timeoutMs = 30_000;

/** Asks files, which also keeps what is about to be posted from being swept away. Only one's own can be posted. */
export function createAttachableFiles(
  files: Pick<RpcClient<typeof SharedFileServiceService>, 'checkAttachable'>,
): AttachableFiles {
  return async (actorId, fileIds) => {
    if (fileIds.length === 0) return [];
    const request = { actorId, fileIds: [...fileIds], receivedIds: [] };
    const { files: facts } = await files.checkAttachable(request, { timeoutMs });
    return facts.map(({ kind }) => (kind === 'image' || kind === 'video' ? kind : 'other'));
  };
}
