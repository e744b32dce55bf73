import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import type { AbortUploadReply, AbortUploadRequest } from '@nolo/proto/sharedFiles';
import { purgeShared } from '../../domain/purge.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { parseActor } from '../parse.ts';
import { isNamed } from './access.ts';

export function abortUpload(dependencies: RpcDependencies) {
  const { shared } = dependencies;
  return async (request: AbortUploadRequest, { log }: RpcContext): Promise<AbortUploadReply> => {
    const actorId = parseActor(request.actorId);
    const id = parseId<FileId>(request.fileId);
    const file = id && (await shared.find(id));
    // A file is no upload any more, and somebody may have it already.
    if (file?.ownerId !== actorId || file.state !== 'open' || !isNamed(file, request.name)) return {};
    await shared.giveUp(file.id);
    try {
      await purgeShared(dependencies, [file]);
    } catch (error) {
      // Nobody can go on with it; the sweep takes the bytes away.
      log.warn({ err: error }, 'the bytes of an upload that was given up could not be deleted yet');
    }
    return {};
  };
}
