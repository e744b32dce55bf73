import type { BeginUploadReply, BeginUploadRequest } from '@nolo/proto/sharedFiles';
import { nameOf, rawKey } from '../../domain/sharedFiles.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { beginFile } from './beginFile.ts';
import { addressLifetimeSeconds, targetOf } from './targets.ts';

export function beginUpload(dependencies: RpcDependencies) {
  return async (request: BeginUploadRequest): Promise<BeginUploadReply> => {
    const file = await beginFile(dependencies, request);
    const name = nameOf(file);
    if (file.multipart) return { fileId: file.id, target: undefined, name };
    const direct = await dependencies.storage.addressOf(rawKey(file), addressLifetimeSeconds);
    return { fileId: file.id, target: targetOf(dependencies, file, 0, direct), name };
  };
}
