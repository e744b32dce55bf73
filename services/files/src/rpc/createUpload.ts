import { isAppError } from '@nolo/kit/errors';
import { newId, type UploadId } from '@nolo/kit/ids';
import type { CreateUploadReply, CreateUploadRequest } from '@nolo/proto/files';
import type { Upload } from '../domain/ports.ts';
import { isPurpose } from '../domain/purposes.ts';
import { addressLifetimeMs, maxPendingUploads, signUpload } from '../domain/uploads.ts';
import { failFiles, uploadLimit } from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseActor } from './parse.ts';

export function createUpload({ uploads, limiter, uploadSecret, clock }: RpcDependencies) {
  return async (request: CreateUploadRequest): Promise<CreateUploadReply> => {
    const ownerId = parseActor(request.actorId);
    const { purpose } = request;
    if (!isPurpose(purpose))
      throw failFiles('invalid', 'invalid_request', 'purpose must be profile_image or group_picture.');
    try {
      await limiter.consume('uploadsPerUserHour', ownerId);
    } catch (error) {
      throw isAppError(error) && error.kind === 'rate_limited' ? uploadLimit(error.retryAfterMs ?? 1000) : error;
    }
    const createdAt = clock.now();
    const upload: Upload = {
      id: newId<UploadId>(),
      ownerId,
      purpose,
      state: 'pending',
      objectId: undefined,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + addressLifetimeMs),
    };
    const roomAt = await uploads.add(upload, maxPendingUploads);
    if (roomAt) throw uploadLimit(Math.max(1000, roomAt.getTime() - createdAt.getTime()));
    return { uploadId: upload.id, signature: signUpload(uploadSecret.reveal(), upload), expiresAt: upload.expiresAt };
  };
}
