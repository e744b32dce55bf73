import { routes } from '@nolo/api';
import { isAppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { WriteBytesRequest } from '@nolo/proto/sharedFiles';
import { fileKinds, limits } from '@nolo/rules';
import type { Request, Response } from 'express';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { discardBody, withFormFile } from '../http/formFile.ts';
import { toStoreFileRequests, readIncomingBytes } from '../http/readIncomingBytes.ts';
import { toObjectPath, toFile } from '../mapping/files.ts';
import { parseUploadPartNumber } from './uploadPartNumber.ts';

/**
 * Time limit for transfers, which take as long as data keeps flowing. Joining parts and re-encoding pictures fit within
 * it.
 */
const transferMs = 6 * 3_600_000;

const tooLarge = (maxBytes: number) => () =>
  createGatewayError('too_large', 'file_too_large', 'The file is too large.', { maxBytes });
async function* toWriteBytesRequests(
  header: WriteBytesRequest,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<WriteBytesRequest> {
  yield header;
  for await (const value of bytes) yield { part: { $case: 'chunk', value } };
}

/** Sends the response that makes unmodified Uppy sign again and continue after an address expires. */
function sendExpired(response: Response): void {
  response
    .status(403)
    .type('application/xml')
    .send(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
    );
}

/** Routes that receive file bytes unless clients upload to storage directly. */
export function bindUploadBytes(bind: BindRoute, context: Pick<GatewayContext, 'sharedFiles'>): void {
  const { sharedFiles } = context;

  const write = async (
    { request, response, rpc }: { request: Request; response: Response; rpc: RpcCallOptions },
    place: { fileId: string; partNumber: number | undefined; maxBytes: number },
    proof: { expires: string; signature: string },
  ): Promise<void> => {
    const { fileId, partNumber, maxBytes } = place;
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    try {
      const length = request.headers['content-length'];
      if (length === undefined)
        throw createGatewayError('invalid', 'length_required', 'The Content-Length header is required.');
      const size = Number(length);
      if (size > maxBytes) throw tooLarge(maxBytes)();
      const expiresAt = new Date(Number(proof.expires));
      const header = { fileId, partNumber, expiresAt, signature: proof.signature, size };
      const bytes = readIncomingBytes(request, { maxBytes, tooLarge: tooLarge(maxBytes) });
      const { etag } = await sharedFiles.writeBytes(
        toWriteBytesRequests({ part: { $case: 'header', value: header } }, bytes),
        {
          ...rpc,
          signal: abort.signal,
          timeoutMs: transferMs,
        },
      );
      response.setHeader('ETag', etag);
      response.setHeader('Access-Control-Expose-Headers', 'ETag, Location');
      // Uppy reports this as the file's location for single-part uploads.
      if (partNumber === undefined) response.setHeader('Location', toObjectPath(fileId));
      response.status(200).end();
    } catch (error) {
      if (!isAppError(error) || error.code !== 'upload_expired') throw error;
      sendExpired(response);
    } finally {
      discardBody(request);
    }
  };

  bind(routes.writeFile, async ({ params, query, ...call }) =>
    write(call, { fileId: params.id, partNumber: undefined, maxBytes: limits.singleUploadBytes }, query),
  );

  bind(routes.writePart, async ({ params, query, ...call }) =>
    write(
      call,
      { fileId: params.id, partNumber: parseUploadPartNumber(params.partNumber), maxBytes: limits.uploadPartBytesMax },
      query,
    ),
  );

  bind(routes.uploadMedia, async ({ actor, rpc, request, response }) => {
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    const options = { field: 'file', maxBytes: limits.singleUploadBytes, tooLarge: tooLarge(limits.singleUploadBytes) };
    return withFormFile(request, options, async ({ name, contentType, fields, bytes }) => {
      const header = {
        actorId: actor.userId,
        name: fields['name'] ?? name,
        contentType,
        kind: fileKinds.find((kind) => kind === fields['kind']) ?? '',
        size: 0,
        multipart: false,
      };
      const call = { ...rpc, signal: abort.signal, timeoutMs: transferMs };
      return toFile(await sharedFiles.storeFile(toStoreFileRequests(header, bytes), call));
    });
  });
}
