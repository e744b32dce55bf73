import type { AppError } from '@nolo/kit/errors';
import type { BeginUploadRequest, StoreFileRequest } from '@nolo/proto/sharedFiles';
import type { Request } from 'express';
import { createGatewayError } from '../errors.ts';

/** Chunk size in the contracts of the files service. */
const chunkBytes = 262_144;

function* inChunks(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}

/**
 * Yields the body of a request in chunks for services, as fast as they are consumed, up to `maxBytes`. The request
 * stays open if reading ends early, because the reply still has to be sent.
 */
export async function* readIncomingBytes(
  request: Request,
  { maxBytes, tooLarge }: { maxBytes: number; tooLarge: () => AppError },
): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const bytes of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += bytes.length;
      if (size > maxBytes) throw tooLarge();
      yield* inChunks(bytes);
    }
  } catch (error) {
    if (request.complete || !request.destroyed) throw error;
    throw createGatewayError('invalid', 'upload_incomplete', 'The upload was interrupted.');
  }
}

/** Yields a file as one stream: its description, then its bytes. */
export async function* toStoreFileRequests(
  value: BeginUploadRequest,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<StoreFileRequest> {
  yield { part: { $case: 'header', value } };
  for await (const some of bytes) {
    for (const chunk of inChunks(some)) yield { part: { $case: 'chunk', value: chunk } };
  }
}
