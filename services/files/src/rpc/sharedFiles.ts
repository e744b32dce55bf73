import { parseActorId } from '@nolo/kit/ids';
import type {
  CheckAttachableReply,
  CheckAttachableRequest,
  GetFileRequest,
  GetUsageReply,
  GetUsageRequest,
  SharedFile,
} from '@nolo/proto/sharedFiles';
import { maxFilesPerMessage, type ReadyFile } from '../domain/sharedFiles.ts';
import { createFilesError, fileNotFound, objectNotFound } from '../errors.ts';
import { findReadable, completeFile } from './access.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseFileId } from './parse.ts';
import { toFileReply } from './replies.ts';

export function getFile(dependencies: RpcDependencies) {
  return async (request: GetFileRequest): Promise<SharedFile> => {
    const id = parseFileId(request.fileId, objectNotFound);
    const readable = await findReadable(dependencies, parseActorId(request.actorId), id);
    if (!readable) throw objectNotFound();
    return toFileReply(readable.file);
  };
}

export function checkAttachable(dependencies: RpcDependencies) {
  const { shared, clock } = dependencies;
  return async (request: CheckAttachableRequest): Promise<CheckAttachableReply> => {
    const actorId = parseActorId(request.actorId);
    if (request.fileIds.length > maxFilesPerMessage) {
      throw createFilesError('invalid', 'invalid_request', `A message can carry at most ${maxFilesPerMessage} files.`);
    }
    const ids = request.fileIds.map((id) => parseFileId(id, fileNotFound));
    const received = new Set(request.receivedIds.map((id) => parseFileId(id, fileNotFound)));
    const find = async (): Promise<ReadyFile[]> => {
      const known = new Map((await shared.findAll(ids)).map((file) => [file.id, file]));
      return Promise.all(
        ids.map(async (id) => {
          const file = known.get(id);
          if (!file || (file.ownerId !== actorId && !received.has(id))) throw fileNotFound();
          const ready = await completeFile(dependencies, file);
          if (!ready) throw fileNotFound();
          return ready;
        }),
      );
    };
    await find();
    await shared.attaching(ids, clock.now());
    // Files are read again because those just being swept were not retained.
    return { files: (await find()).map(toFileReply) };
  };
}

export function getUsage({ shared, allowedBytes, reports }: RpcDependencies) {
  return async (request: GetUsageRequest): Promise<GetUsageReply> => {
    const actorId = parseActorId(request.actorId);
    const [used, limit] = await Promise.all([shared.usage(actorId), allowedBytes(actorId)]);
    // Viewing the usage also updates it at billing.
    reports.changed([actorId]);
    return { used, ...(limit === Infinity ? {} : { limit }) };
  };
}
