import { parseId, type ConversationId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import type { FinishGroupPictureReply, FinishGroupPictureRequest } from '@nolo/proto/files';
import { failFiles } from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';
import { finishPicture } from './finishPicture.ts';
import { parseActor } from './parse.ts';

/** The group owns its picture, so that it outlives the account of whoever chose it. */
export function finishGroupPicture(dependencies: RpcDependencies) {
  return async (request: FinishGroupPictureRequest, { log }: RpcContext): Promise<FinishGroupPictureReply> => {
    const actorId = parseActor(request.actorId);
    const ownerId = parseId<ConversationId>(request.groupId);
    if (!ownerId) throw failFiles('invalid', 'invalid_request', 'group_id must be an id.');
    const { uploadId } = request;
    return finishPicture(dependencies, { actorId, uploadId, purpose: 'group_picture', ownerId }, log);
  };
}
