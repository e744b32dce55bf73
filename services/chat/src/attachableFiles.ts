import type { RpcClient } from '@nolo/kit/rpc';
import type { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { fileKinds } from '@nolo/rules';
import type { CheckAttachableFiles } from './domain/checkFiles.ts';

/** Timeout. A picture uploaded in one piece is processed on first use, which may take a while. */
const timeoutMs = 30_000;

/** Queries files, which also protects files about to be sent from the sweep. */
export function createAttachableFilesCheck(
  files: Pick<RpcClient<typeof SharedFileServiceDefinition>, 'checkAttachable'>,
): CheckAttachableFiles {
  return async (actorId, fileIds, receivedIds) => {
    const request = { actorId, fileIds: [...fileIds], receivedIds: [...receivedIds] };
    const { files: facts } = await files.checkAttachable(request, { timeoutMs });
    return facts.map(({ id, kind, size }) => ({ id, size, kind: fileKinds.find((known) => known === kind) ?? 'file' }));
  };
}
