import type { GetFileRequest, SharedFile } from '@nolo/proto/sharedFiles';
import { objectNotFound } from '../../errors.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { parseActor, parseFile } from '../parse.ts';
import { findReadable } from './access.ts';
import { toFileReply } from './replies.ts';

export function getFile(dependencies: RpcDependencies) {
  return async (request: GetFileRequest): Promise<SharedFile> => {
    const id = parseFile(request.fileId, objectNotFound);
    const file = await findReadable(dependencies, parseActor(request.actorId), id);
    if (!file) throw objectNotFound();
    return toFileReply(file);
  };
}
