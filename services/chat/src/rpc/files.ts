import { parseActorId, type FileId, parseId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import { createMessageInvalidError } from '../domain/attachment.ts';
import type { Dependencies } from './dependencies.ts';

export function canReadFile({
  files,
  clock,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.canReadFile> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const id = parseId<FileId>(request.fileId);
    return { allowed: id !== undefined && (await files.readable(actorId, [id], clock.now())).length > 0 };
  };
}

const maxFilesPerCall = 500;

export function listNamedFiles({
  files,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.listNamedFiles> {
  return async (request) => {
    if (request.fileIds.length > maxFilesPerCall)
      throw createMessageInvalidError(`At most ${maxFilesPerCall} files can be requested at a time.`);
    const ids = request.fileIds.map((id) => parseId<FileId>(id)).filter((id) => id !== undefined);
    return { fileIds: await files.named(ids) };
  };
}
