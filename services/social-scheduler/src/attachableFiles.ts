import type { RpcClient } from '@nolo/kit/rpc';
import type { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import type { CheckAttachableFiles, PostFileFacts } from './domain/ports.ts';

/** Timeout of the check. A single-part picture is created when first needed, which may take a while. */
const timeoutMs = 30_000;
/** Maximum files per query. A post may have twice as many. */
const filesPerRequest = 10;

/** Queries files about attachments, which also protects them from being swept. Users can post their own files only. */
export function createAttachableFilesCheck(
  files: Pick<RpcClient<typeof SharedFileServiceDefinition>, 'checkAttachable'>,
): CheckAttachableFiles {
  return async (actorId, fileIds) => {
    const found: PostFileFacts[] = [];
    for (let from = 0; from < fileIds.length; from += filesPerRequest) {
      const request = { actorId, fileIds: fileIds.slice(from, from + filesPerRequest), receivedIds: [] };
      const { files: facts } = await files.checkAttachable(request, { timeoutMs });
      for (const { kind, contentType, size, width = 0, height = 0 } of facts) {
        const known = kind === 'image' || kind === 'video' ? kind : 'other';
        found.push({ kind: known, mimeType: contentType, bytes: Number(size), width, height });
      }
    }
    return found;
  };
}
