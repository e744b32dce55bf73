import { parseId, type UploadId } from '@nolo/kit/ids';
import type { WriteUploadHeader, WriteUploadReply, WriteUploadRequest } from '@nolo/proto/files';
import { uploadKey, type Upload } from '../domain/ports.ts';
import { purposes } from '../domain/purposes.ts';
import { isSignedBy } from '../domain/uploads.ts';
import { failFiles, fileTooLarge, uploadExpired, uploadNotFound } from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';

/** As the contract says; the gateway cuts the body into smaller parts anyway. */
const maxChunkBytes = 256 * 1024;

async function* bytesOf(rest: AsyncIterator<WriteUploadRequest>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const { part } = next.value;
    if (part?.$case !== 'chunk')
      throw failFiles('invalid', 'invalid_request', 'After the header only chunks may come.');
    if (part.value.length > maxChunkBytes)
      throw failFiles('invalid', 'invalid_request', 'A chunk has at most 256 KiB.');
    size += part.value.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    yield part.value;
  }
}

export function writeUpload({ uploads, storage, uploadSecret, clock }: RpcDependencies) {
  /** Whoever holds the signature may write: it was given to the owner alone. */
  const authorize = async (header: WriteUploadHeader): Promise<Upload> => {
    const id = parseId<UploadId>(header.uploadId);
    const upload = id && (await uploads.find(id));
    if (!upload || upload.state !== 'pending' || !isSignedBy(uploadSecret.reveal(), upload, header.signature)) {
      throw uploadNotFound();
    }
    if (clock.now() >= upload.expiresAt) throw uploadExpired();
    return upload;
  };

  return async (requests: AsyncIterable<WriteUploadRequest>): Promise<WriteUploadReply> => {
    const rest = requests[Symbol.asyncIterator]();
    const first = await rest.next();
    const header = first.done === true ? undefined : first.value.part;
    if (header?.$case !== 'header') throw failFiles('invalid', 'invalid_request', 'The header must come first.');
    const upload = await authorize(header.value);
    const size = await storage.put(uploadKey(upload.id), bytesOf(rest, purposes[upload.purpose].maxBytes));
    // Finished or swept away meanwhile: nobody would ever look for these bytes again.
    const still = await uploads.find(upload.id);
    if (still?.state !== 'pending') {
      await storage.delete(uploadKey(upload.id));
      throw uploadNotFound();
    }
    return { size };
  };
}
