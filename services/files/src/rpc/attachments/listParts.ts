import type { ListPartsReply, ListPartsRequest } from '@nolo/proto/sharedFiles';
import { partsKey } from '../../domain/sharedFiles.ts';
import { uploadNotFound } from '../../errors.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { parseActor } from '../parse.ts';
import { findOpenParts } from './access.ts';

export function listParts(dependencies: RpcDependencies) {
  return async (request: ListPartsRequest): Promise<ListPartsReply> => {
    const file = await findOpenParts(dependencies, parseActor(request.actorId), request);
    const { storageUploadId } = file;
    const parts = await dependencies.storage.listParts({ key: partsKey(file), storageUploadId });
    if (!parts) throw uploadNotFound();
    return { parts };
  };
}
