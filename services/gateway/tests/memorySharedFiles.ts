import { createHash, randomUUID } from 'node:crypto';
import { fail } from '@nolo/kit/errors';
import { SharedFileServiceService, type BeginUploadRequest, type SharedFile } from '@nolo/proto/sharedFiles';
import { fakeService } from './fakeService.ts';

interface Stored {
  begun: BeginUploadRequest;
  signature: string;
  parts: Map<number, Buffer>;
  file: SharedFile | undefined;
  bytes: Buffer;
}

/** What people send one another, as far as the gateway can tell. Only who uploaded a file reads it. */
export function memorySharedFiles() {
  const uploads = new Map<string, Stored>();
  /** When the next address that is signed stops working. */
  const address = { lifetimeMs: 900_000 };
  /** Whether the operator has it. */
  const sts = { configured: false };
  const usage = { used: 0, limit: 1_000_000_000 };

  const missing = () => fail('not_found', 'upload_not_found', 'That upload does not exist.');
  const nameOf = (fileId: string) => ({ key: `uploads/${fileId}`, uploadId: fileId });
  const own = (actorId: string, fileId: string, name = nameOf(fileId)): Stored => {
    const stored = uploads.get(fileId);
    const { key, uploadId } = nameOf(fileId);
    if (stored?.begun.actorId !== actorId || name.key !== key || name.uploadId !== uploadId) throw missing();
    return stored;
  };
  const begin = (begun: BeginUploadRequest): [string, Stored] => {
    const stored = { begun, signature: randomUUID(), parts: new Map(), file: undefined, bytes: Buffer.alloc(0) };
    const fileId = randomUUID();
    uploads.set(fileId, stored);
    return [fileId, stored];
  };
  const target = ({ signature }: Stored) => ({
    url: '',
    headers: {},
    signature,
    expiresAt: new Date(Date.now() + address.lifetimeMs),
  });
  const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;
  const finish = (id: string, stored: Stored): SharedFile => {
    const sorted = [...stored.parts.entries()].sort(([one], [other]) => one - other);
    if (sorted.length === 0) throw fail('invalid', 'upload_empty', 'Nothing was uploaded.');
    stored.bytes = Buffer.concat(sorted.map(([, bytes]) => bytes));
    stored.file ??= {
      id,
      name: stored.begun.name,
      size: stored.bytes.length,
      contentType: 'image/png',
      kind: stored.begun.kind ?? 'image',
      width: 640,
      height: 480,
      thumbnailWidths: [320],
      moves: false,
    };
    return stored.file;
  };

  const service = fakeService(SharedFileServiceService, {
    async beginUpload(request) {
      const [fileId, stored] = begin(request);
      return { fileId, target: request.multipart ? undefined : target(stored), name: nameOf(fileId) };
    },
    signPart: async ({ actorId, fileId, name }) => target(own(actorId, fileId, name)),
    async writeBytes(requests) {
      const chunks: Buffer[] = [];
      let place: { stored: Stored; partNumber: number } | undefined;
      for await (const { part } of requests) {
        if (part?.$case === 'header') {
          const stored = uploads.get(part.value.fileId);
          if (stored?.signature !== part.value.signature) throw missing();
          if ((part.value.expiresAt ?? new Date(0)) <= new Date()) {
            throw fail('forbidden', 'upload_expired', 'Request has expired');
          }
          place = { stored, partNumber: part.value.partNumber ?? 0 };
        } else if (part) {
          if (part.value.length > 262_144) throw fail('invalid', 'chunk_too_large', 'A chunk is too large.');
          chunks.push(part.value);
        }
      }
      if (!place) throw missing();
      const bytes = Buffer.concat(chunks);
      place.stored.parts.set(place.partNumber, bytes);
      return { size: bytes.length, etag: etagOf(bytes) };
    },
    async listParts({ actorId, fileId, name }) {
      const parts = [...own(actorId, fileId, name).parts.entries()];
      return { parts: parts.map(([number, bytes]) => ({ number, size: bytes.length, etag: etagOf(bytes) })) };
    },
    finishUpload: async ({ actorId, fileId, name }) => finish(fileId, own(actorId, fileId, name)),
    async abortUpload({ actorId, fileId }) {
      if (uploads.get(fileId)?.begun.actorId === actorId) uploads.delete(fileId);
      return {};
    },
    async storeFile(requests) {
      let begun: [string, Stored] | undefined;
      const chunks: Buffer[] = [];
      for await (const { part } of requests) {
        if (part?.$case === 'header') begun = begin(part.value);
        else if (part) chunks.push(part.value);
      }
      if (!begun) throw missing();
      begun[1].parts.set(0, Buffer.concat(chunks));
      return finish(...begun);
    },
    async getFile({ actorId, fileId }) {
      const stored = uploads.get(fileId);
      if (stored?.begun.actorId !== actorId || !stored.file) {
        throw fail('not_found', 'object_not_found', 'That file does not exist.');
      }
      return stored.file;
    },
    async getTemporaryCredentials({ actorId }) {
      if (!sts.configured) throw fail('invalid', 'sts_not_configured', 'Temporary credentials are not given out here.');
      const expiresAt = new Date(Date.now() + 900_000);
      const secrets = { accessKeyId: `of ${actorId}`, secretAccessKey: 'secret', sessionToken: 'token' };
      return { ...secrets, expiresAt, bucket: 'nolo', region: 'eu-central-1' };
    },
    getUsage: async () => ({ ...usage }),
  });

  return { service, uploads, address, usage, sts };
}
