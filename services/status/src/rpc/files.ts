import { parseActorId, parseId, type FileId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { StatusServiceDefinition } from '@nolo/proto/status';
import { statusInvalid } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

const maxFilesPerCall = 500;

export function canReadStatusFile({
  named,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.canReadStatusFile> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const id = parseId<FileId>(request.fileId);
    const until = id && (await named.readableUntil(actorId, id, clock.now()));
    return { allowed: until !== undefined, until };
  };
}

export function listStatusFiles({
  named,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.listStatusFiles> {
  return async (request) => {
    if (request.fileIds.length > maxFilesPerCall)
      throw statusInvalid(`At most ${maxFilesPerCall} files can be requested at once.`);
    const ids = request.fileIds.map((id) => parseId<FileId>(id)).filter((id) => id !== undefined);
    return { fileIds: await named.listNamed(ids, clock.now()) };
  };
}
