import type { RpcClient } from '@nolo/kit/rpc';
import type { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { fileKinds } from '@nolo/rules';
import type { CheckAttachableFiles } from './domain/ports.ts';

/** Timeout of the check. A single-part picture is created when first needed, which may take a while. */
const timeoutMs = 30_000;

/** Queries files about attachments, which also protects them from being swept. Users can post their own files only. */
export function createAttachableFilesCheck(
  files: Pick<RpcClient<typeof SharedFileServiceDefinition>, 'checkAttachable'>,
): CheckAttachableFiles {
  return async (actorId, fileIds) => {
    const request = { actorId, fileIds: [...fileIds], receivedIds: [] };
    const { files: facts } = await files.checkAttachable(request, { timeoutMs });
    return facts.map(({ id, kind, size }) => ({ id, size, kind: fileKinds.find((known) => known === kind) ?? 'file' }));
  };
}
