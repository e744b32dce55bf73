import type { SignPartRequest, UploadTarget } from '@nolo/proto/sharedFiles';
import { limits } from '@nolo/rules';
import { partsKey } from '../../domain/sharedFiles.ts';
import { signIncomplete, uploadNotFound } from '../../errors.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { parseActor } from '../parse.ts';
import { findOpenParts } from './access.ts';
import { addressLifetimeSeconds, targetOf } from './targets.ts';

export function signPart(dependencies: RpcDependencies) {
  const { shared, storage, clock } = dependencies;
  return async (request: SignPartRequest): Promise<UploadTarget> => {
    const actorId = parseActor(request.actorId);
    const { partNumber } = request;
    if (partNumber < 1 || partNumber > limits.uploadPartsMax) throw signIncomplete();
    const file = await findOpenParts(dependencies, actorId, request);
    // It goes on, wherever the bytes are brought.
    if (!(await shared.arrived(file.id, 0, clock.now()))) throw uploadNotFound();
    const place = { key: partsKey(file), storageUploadId: file.storageUploadId };
    const direct = await storage.addressOfPart(place, partNumber, addressLifetimeSeconds);
    return targetOf(dependencies, file, partNumber, direct);
  };
}
