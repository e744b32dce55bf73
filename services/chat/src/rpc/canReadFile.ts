import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { actorFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';

export function canReadFile({ files, clock }: Dependencies): RpcHandler<typeof ChatServiceService.canReadFile> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const id = parseId<FileId>(request.fileId);
    return { allowed: id !== undefined && (await files.readable(actorId, [id], clock.now())).length > 0 };
  };
}
