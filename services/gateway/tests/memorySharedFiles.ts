import { randomUUID } from 'node:crypto';
import { createAppError } from '@nolo/kit/errors';
import { SharedFileServiceDefinition, type BeginUploadRequest, type SharedFile } from '@nolo/proto/sharedFiles';
import { fakeService } from './fakeService.ts';

interface Stored {
  begun: BeginUploadRequest;
  signature: string;
  file: SharedFile | undefined;
  bytes: Buffer;
}

/** Fakes shared files for the gateway. */
export function memorySharedFiles() {
  const uploads = new Map<string, Stored>();
  /** Lifetime of the next signed address. */
  const address = { lifetimeMs: 900_000 };
  const usage = { used: 0, limit: 1_000_000_000 };

  const missing = () => createAppError('not_found', 'upload_not_found', 'That upload does not exist.');
  const find = (fileId: string): Stored => {
    const stored = uploads.get(fileId);
    if (!stored) throw missing();
    return stored;
  };
  const begin = (begun: BeginUploadRequest): [string, Stored] => {
    const stored = { begun, signature: randomUUID(), file: undefined, bytes: Buffer.alloc(0) };
    const fileId = randomUUID();
    uploads.set(fileId, stored);
    return [fileId, stored];
  };
  const finish = (id: string, stored: Stored): SharedFile =>
    (stored.file ??= {
      id,
      name: stored.begun.name,
      size: stored.bytes.length,
      contentType: 'image/png',
      kind: stored.begun.kind ?? 'image',
      width: 640,
      height: 480,
      thumbnailWidths: [320],
      moves: false,
    });

  const service = fakeService(SharedFileServiceDefinition, {
    async beginUpload(request) {
      const [fileId, { signature }] = begin(request);
      const expiresAt = new Date(Date.now() + address.lifetimeMs);
      const name = { key: `uploads/${fileId}`, uploadId: fileId };
      return { fileId, target: { url: '', headers: {}, signature, expiresAt }, name };
    },
    async writeBytes(requests) {
      const chunks: Buffer[] = [];
      let place: Stored | undefined;
      for await (const { part } of requests) {
        if (part?.$case === 'header') {
          place = find(part.value.fileId);
          if ((part.value.expiresAt ?? new Date(0)) <= new Date()) {
            throw createAppError('forbidden', 'upload_expired', 'Request has expired');
          }
        } else if (part) {
          if (part.value.length > 262_144) throw createAppError('invalid', 'chunk_too_large', 'A chunk is too large.');
          chunks.push(part.value);
        }
      }
      if (!place) throw missing();
      place.bytes = Buffer.concat(chunks);
      return { size: place.bytes.length, etag: '"etag"' };
    },
    finishUpload: async ({ fileId }) => finish(fileId, find(fileId)),
    async storeFile(requests) {
      let begun: [string, Stored] | undefined;
      const chunks: Buffer[] = [];
      for await (const { part } of requests) {
        if (part?.$case === 'header') begun = begin(part.value);
        else if (part) chunks.push(part.value);
      }
      if (!begun) throw missing();
      begun[1].bytes = Buffer.concat(chunks);
      return finish(...begun);
    },
    getUsage: async () => ({ ...usage }),
  });

  return { service, uploads, address, usage };
}
