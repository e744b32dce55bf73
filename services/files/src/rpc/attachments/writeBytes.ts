import type { WriteBytesHeader, WriteBytesReply, WriteBytesRequest } from '@nolo/proto/sharedFiles';
import { limits } from '@nolo/rules';
import { isGranted, partsKey, rawKey, type OpenFile } from '../../domain/sharedFiles.ts';
import { fileTooLarge, storageFullPlan, uploadExpired, uploadNotFound } from '../../errors.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { parseFile } from '../parse.ts';
import { bytesOfStream, openStream } from '../incoming.ts';

export function writeBytes(dependencies: RpcDependencies) {
  const { shared, storage, uploadSecret, allowedBytes, clock, metrics } = dependencies;

  /** Whoever holds the signature may write: it was given to the owner alone. */
  const authorize = async (header: WriteBytesHeader): Promise<OpenFile> => {
    const { partNumber, expiresAt, signature } = header;
    const file = await shared.find(parseFile(header.fileId, uploadNotFound));
    if (!file || expiresAt === undefined || file.multipart !== partNumber > 0) throw uploadNotFound();
    const grant = { fileId: file.id, partNumber, expiresAt, ownerId: file.ownerId };
    if (!isGranted(uploadSecret.reveal(), grant, signature)) throw uploadNotFound();
    if (clock.now() >= expiresAt) throw uploadExpired();
    if (file.state !== 'open') throw uploadNotFound();
    return file;
  };

  /** Before the first byte is taken: what would be too much in the end is refused at once. */
  const measure = async (file: OpenFile, size: number): Promise<void> => {
    const most = file.multipart ? limits.uploadPartBytesMax : limits.singleUploadBytes;
    if (size > most) throw fileTooLarge(most);
    // Parts that came twice are counted twice, for which there is room enough.
    if (file.arrivedBytes + size > 2 * limits.fileBytes) throw fileTooLarge(limits.fileBytes);
    const [used, allowed] = await Promise.all([shared.usage(file.ownerId), allowedBytes(file.ownerId)]);
    if (used + size > allowed) throw storageFullPlan(used, allowed);
  };

  return async (requests: AsyncIterable<WriteBytesRequest>): Promise<WriteBytesReply> => {
    const { header, rest } = await openStream(requests);
    const file = await authorize(header);
    const { partNumber, size } = header;
    await measure(file, size);
    const count = (came: number) => metrics.bytes.inc({ direction: 'in' }, came);
    const bytes = bytesOfStream(rest, { maxBytes: limits.uploadPartBytesMax, size, count });
    const { storageUploadId } = file;
    const key = storageUploadId === null ? rawKey(file) : partsKey(file);
    let etag = `"${file.id}"`;
    if (storageUploadId === null) await storage.put(key, bytes);
    else ({ etag } = await storage.putPart({ key, storageUploadId }, partNumber, size, bytes));
    if (!(await shared.arrived(file.id, size, clock.now()))) {
      // Finished or given up meanwhile: nobody would ever look for these bytes again.
      if (storageUploadId === null) await storage.delete(key);
      else await storage.abandonParts({ key, storageUploadId });
      throw uploadNotFound();
    }
    return { size, etag };
  };
}
