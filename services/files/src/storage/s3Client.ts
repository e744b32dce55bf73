import { NoSuchKey, NoSuchUpload, NotFound, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { Secret } from '@nolo/kit/config';

export interface S3Options {
  bucket: string;
  region: string;
  /** URL of the server. Absent for Amazon. */
  endpoint: string | undefined;
  /** URL of the same server for browsers. Absent if uploads pass through this service. */
  publicEndpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: Secret;
  pathStyle: boolean;
  /** Piece size for copying larger objects; the server copies each piece separately. */
  copyPieceBytes?: number;
}

/** Milliseconds after which an unresponsive or stalled server is given up. */
export const connectionTimeoutMs = 5_000;
const socketTimeout = 120_000;

/**
 * Maximum sockets. Each reader holds one for its whole read; with the default of fifty, fifty slow readers would block
 * all others.
 */
const maxSockets = 1_000;

/** Errors are thrown; the client would also print them to the console. */
const ignore = () => undefined;
export const silentLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export function createS3Client(options: S3Options, endpoint: string | undefined): S3Client {
  const agent = { keepAlive: true, maxSockets };
  return new S3Client({
    region: options.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: options.pathStyle,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey.reveal() },
    // Servers other than Amazon's do not support the trailers and checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Amazon requires at least this piece size for trailing checksums.
    requestStreamBufferSize: 65_536,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout, httpAgent: agent, httpsAgent: agent },
    logger: silentLogger,
  });
}

const missing = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);

/**
 * Returns true if an object or upload is missing. Not every server uses the codes that the client converts to its own
 * errors. A missing bucket is an outage.
 */
export function isMissingObjectError(error: unknown): boolean {
  if (error instanceof NoSuchKey || error instanceof NotFound || error instanceof NoSuchUpload) return true;
  return error instanceof S3ServiceException && missing.has(error.name);
}
