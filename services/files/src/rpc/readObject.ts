import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import type { ReadObjectReply, ReadObjectRequest } from '@nolo/proto/files';
import { objectKey } from '../domain/ports.ts';
import { objectNotFound } from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseActor } from './parse.ts';

export function readObject({ objects, storage }: RpcDependencies) {
  return async function* (request: ReadObjectRequest, { log }: RpcContext): AsyncGenerator<ReadObjectReply> {
    // Every purpose there is today is the picture of a person or of a group, which any signed-in person may see.
    parseActor(request.actorId);
    const id = parseId<FileId>(request.objectId);
    const object = id && (await objects.find(id));
    if (!object) throw objectNotFound();
    const bytes = await storage.get(objectKey(object.id));
    if (!bytes) {
      log.error({ objectId: object.id }, 'the bytes of an object are missing');
      throw objectNotFound();
    }
    // Begun before the header goes out: only what was begun is closed when the reader leaves after it.
    const parts = bytes[Symbol.asyncIterator]();
    let part = await parts.next();
    try {
      yield { part: { $case: 'header', value: { contentType: object.contentType, size: object.size } } };
      for (; part.done !== true; part = await parts.next()) {
        const { buffer, byteOffset, byteLength } = part.value;
        yield { part: { $case: 'chunk', value: Buffer.from(buffer, byteOffset, byteLength) } };
      }
    } finally {
      await parts.return?.();
    }
  };
}
