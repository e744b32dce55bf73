import { parseId, type UploadId } from '@nolo/kit/ids';
import type { WriteUploadHeader, WriteUploadReply, WriteUploadRequest } from '@nolo/proto/files';
import { uploadKey, type Upload } from '../domain/ports.ts';
import { purposes } from '../domain/purposes.ts';
import { isSignedBy } from '../domain/uploads.ts';
import { uploadExpired, uploadNotFound } from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';
import { bytesOfStream, openStream } from './incoming.ts';

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
    const { header, rest } = await openStream(requests);
    const upload = await authorize(header);
    const { maxBytes } = purposes[upload.purpose];
    const size = await storage.put(uploadKey(upload.id), bytesOfStream(rest, { maxBytes }));
    // Finished or swept away meanwhile: nobody would ever look for these bytes again.
    const still = await uploads.find(upload.id);
    if (still?.state !== 'pending') {
      await storage.delete(uploadKey(upload.id));
      throw uploadNotFound();
    }
    return { size };
  };
}
