import { randomUUID } from 'node:crypto';
import { createAppError } from '@nolo/kit/errors';
import { FilesServiceDefinition, type ReadBrandLogoRequest, type ReadObjectReply } from '@nolo/proto/files';
import { memorySharedFiles } from './memorySharedFiles.ts';
import { fakeService } from './fakeService.ts';

/** Fakes the files service for the gateway. */
export function memoryFiles() {
  const uploads = new Map<string, { bytes: Buffer }>();
  const objects = new Map<string, Buffer>();
  /** Expiry of each file that has one. */
  const ends = new Map<string, Date>();
  const shared = memorySharedFiles();

  const find = (objectId: string) => {
    const picture = objects.get(objectId);
    if (picture) return { bytes: picture, contentType: 'image/webp', name: '', inline: false };
    const stored = shared.uploads.get(objectId);
    if (!stored?.file) throw createAppError('not_found', 'object_not_found', 'This object does not exist.');
    const { name, kind, contentType } = stored.file;
    return { bytes: stored.bytes, contentType, name, inline: kind !== 'file' };
  };

  function* answer(
    { bytes, ...fileInfo }: ReturnType<typeof find>,
    { objectId, range }: ReadBrandLogoRequest,
  ): Generator<ReadObjectReply> {
    const size = bytes.length;
    const { start = 0, end = size - 1 } = range ?? {};
    if (start >= size)
      throw createAppError('invalid', 'range_unsatisfiable', 'The requested range is outside the file.', { size });
    const requestedBytes = bytes.subarray(start, Math.min(end + 1, size));
    const readableUntil = ends.get(objectId);
    const header = { ...fileInfo, size, start, length: requestedBytes.length, etag: `"${objectId}"`, readableUntil };
    yield { part: { $case: 'header', value: header } };
    for (let at = 0; at < requestedBytes.length; at += 65_536) {
      yield { part: { $case: 'chunk', value: requestedBytes.subarray(at, at + 65_536) } };
    }
  }

  const finish = (uploadId: string) => {
    const upload = uploads.get(uploadId);
    if (!upload) throw createAppError('not_found', 'upload_not_found', 'This upload does not exist.');
    const id = randomUUID();
    objects.set(id, upload.bytes);
    return { objectPath: `/objects/${id}` };
  };

  const service = fakeService(FilesServiceDefinition, {
    async createUpload() {
      const uploadId = randomUUID();
      uploads.set(uploadId, { bytes: Buffer.alloc(0) });
      return { uploadId, signature: 'right', expiresAt: new Date(Date.now() + 900_000) };
    },
    async writeUpload(requests) {
      let upload: { bytes: Buffer } | undefined;
      const chunks: Buffer[] = [];
      for await (const { part } of requests) {
        if (part?.$case === 'header') upload = uploads.get(part.value.uploadId);
        else if (part) chunks.push(part.value);
      }
      if (!upload) throw createAppError('not_found', 'upload_not_found', 'This upload does not exist.');
      upload.bytes = Buffer.concat(chunks);
      return { size: upload.bytes.length };
    },
    finishGroupPicture: async ({ uploadId }) => finish(uploadId),
    async removeGroupPicture({ objectPath }) {
      objects.delete(objectPath.slice('/objects/'.length));
      return {};
    },
    async *readObject(request) {
      yield* answer(find(request.objectId), request);
    },
    async *readSignedObject(request) {
      if (request.signature !== 'right')
        throw createAppError('not_found', 'object_not_found', 'This object does not exist.');
      yield* answer(find(request.objectId), request);
    },
  });

  return { service, uploads, objects, ends, shared };
}
