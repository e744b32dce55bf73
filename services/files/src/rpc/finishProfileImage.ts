import type { RpcContext } from '@nolo/kit/rpc';
import type { FinishProfileImageReply, FinishProfileImageRequest } from '@nolo/proto/files';
import type { RpcDependencies } from './dependencies.ts';
import { finishPicture } from './finishPicture.ts';
import { parseActor } from './parse.ts';

export function finishProfileImage(dependencies: RpcDependencies) {
  return async (request: FinishProfileImageRequest, { log }: RpcContext): Promise<FinishProfileImageReply> => {
    const actorId = parseActor(request.actorId);
    const { uploadId } = request;
    return finishPicture(dependencies, { actorId, uploadId, purpose: 'profile_image', ownerId: actorId }, log);
  };
}
