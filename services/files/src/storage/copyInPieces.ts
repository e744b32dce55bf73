import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

/** Number of pieces copied in parallel, which servers limit. */
const atOnce = 4;

export interface CopyRequest {
  readonly bucket: string;
  readonly from: string;
  readonly to: string;
  readonly size: number;
  /** Entity tag of the source, so that a concurrent replacement cannot mix both versions. */
  readonly etag: string;
}

/** Copies an object that is too large for one request: servers refuse that beyond 5 GiB, and are slow well below. */
export async function copyInPieces(client: S3Client, copying: CopyRequest, pieceBytes: number): Promise<void> {
  const { bucket, from, to, size, etag } = copying;
  const place = { Bucket: bucket, Key: to };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
  if (UploadId === undefined) throw new Error('The storage started an upload without returning its id.');
  const upload = { ...place, UploadId };
  const copyPiece = async (number: number) => {
    const start = (number - 1) * pieceBytes;
    const { CopyPartResult } = await client.send(
      new UploadPartCopyCommand({
        ...upload,
        PartNumber: number,
        CopySource: `${bucket}/${from}`,
        CopySourceRange: `bytes=${start}-${Math.min(start + pieceBytes, size) - 1}`,
        CopySourceIfMatch: etag,
      }),
    );
    return { PartNumber: number, ETag: CopyPartResult?.ETag };
  };
  try {
    const count = Math.ceil(size / pieceBytes);
    const Parts: Awaited<ReturnType<typeof copyPiece>>[] = [];
    for (let first = 1; first <= count; first += atOnce) {
      const numbers = Array.from({ length: Math.min(atOnce, count - first + 1) }, (_, index) => first + index);
      Parts.push(...(await Promise.all(numbers.map(copyPiece))));
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    // The storage would otherwise delete it only by its own rules.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}
