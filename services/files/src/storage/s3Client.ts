import { NoSuchKey, NoSuchUpload, NotFound, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { Secret } from '@nolo/kit/config';

export interface S3Options {
  bucket: string;
  region: string;
  /** Absent for Amazon's own. */
  endpoint: string | undefined;
  /** The same server as browsers reach it; absent where bytes come through us. */
  publicEndpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: Secret;
  pathStyle: boolean;
  /** Objects that are larger are copied in pieces of this size, each of which the server copies by itself. */
  copyPieceBytes?: number;
}

/** Milliseconds until a server that does not answer, or stands still, is given up. */
export const connectionTimeout = 5_000;
const socketTimeout = 120_000;

/** Everybody who reads holds one for as long as it takes; with the fifty that are usual, fifty slow readers stop the rest. */
const maxSockets = 1_000;

/** What goes wrong is thrown; the client would write it to the console besides. */
const ignore = () => undefined;
export const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export function clientFor(options: S3Options, endpoint: string | undefined): S3Client {
  const agent = { keepAlive: true, maxSockets };
  return new S3Client({
    region: options.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: options.pathStyle,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey.reveal() },
    // Servers other than Amazon's know neither the trailers nor the checksums that the client adds by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Where a checksum is asked for, Amazon wants no smaller pieces.
    requestStreamBufferSize: 65_536,
    maxAttempts: 3,
    requestHandler: { connectionTimeout, socketTimeout, httpAgent: agent, httpsAgent: agent },
    logger: silent,
  });
}

const missing = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);

/** Not every server says it in the words that the client makes errors of its own of. A bucket that is missing is an outage. */
export function isMissing(error: unknown): boolean {
  if (error instanceof NoSuchKey || error instanceof NotFound || error instanceof NoSuchUpload) return true;
  return error instanceof S3ServiceException && missing.has(error.name);
}
