import { once } from 'node:events';
import { routes } from '@nolo/api';
import { createInternalError, isAppError } from '@nolo/kit/errors';
import type { ByteRange, ReadObjectHeader, ReadObjectReply } from '@nolo/proto/files';
import type { Request, Response } from 'express';
import { parseRange } from '../domain/byteRange.ts';
import { formatContentDisposition } from '../domain/contentDisposition.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';

/** Read timeout. Readers can continue with a range request. */
export const objectReadTimeoutMs = 3_600_000;

/**
 * Sets the headers of an object. Runs only if the files service grants access, because it sends a header to permitted
 * readers alone.
 */
function describe(response: Response, header: ReadObjectHeader, download: string | undefined, cache: string): void {
  const { contentType, etag, name, inline } = header;
  const asFile = !inline || download !== undefined;
  response.set({
    // Downloads are plain bytes, regardless of the detected type.
    'Content-Type': inline || !name ? contentType : 'application/octet-stream',
    'X-Content-Type-Options': 'nosniff',
    'Content-Disposition': formatContentDisposition(asFile ? 'attachment' : 'inline', download ?? name ?? ''),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cache-Control': cache,
    'Accept-Ranges': 'bytes',
    ETag: etag,
  });
}

/** Allows caching for a year, because bytes never change, or for the lifetime of the object's status update. */
function cacheFor({ readableUntil }: ReadObjectHeader, now: Date): string {
  const yearSeconds = 31_536_000;
  if (readableUntil === undefined) return `private, max-age=${yearSeconds}, immutable`;
  const left = Math.floor((readableUntil.getTime() - now.getTime()) / 1_000);
  return `private, max-age=${Math.min(Math.max(left, 0), yearSeconds)}, immutable`;
}

/** Request data shared by all ways of reading. */
interface ObjectRequest {
  readonly id: string;
  readonly download: string | undefined;
  /** Returns the Cache-Control value for the reader. */
  readonly cache: (header: ReadObjectHeader) => string;
}

type Open = (range: ByteRange | undefined, signal: AbortSignal) => AsyncIterable<ReadObjectReply>;

export async function sendObjectBytes(
  request: Request,
  response: Response,
  { id, download, cache }: ObjectRequest,
  open: Open,
) {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const { range: requestedRange, 'if-none-match': known } = request.headers;
  const ifRange = request.get('if-range');
  // Bytes never change, so the ETag is the object ID. The files service adds a suffix for smaller pictures.
  const range = ifRange === undefined || ifRange.startsWith(`"${id}`) ? parseRange(requestedRange) : undefined;
  try {
    for await (const { part } of open(range, abort.signal)) {
      if (part?.$case === 'header') {
        const { etag, size, start, length } = part.value;
        describe(response, part.value, download, cache(part.value));
        if (known === etag) {
          response.status(304).end();
          return;
        }
        if (range) response.status(206).setHeader('Content-Range', `bytes ${start}-${start + length - 1}/${size}`);
        response.setHeader('Content-Length', length);
        response.flushHeaders();
        if (request.method === 'HEAD') {
          response.end();
          return;
        }
      } else if (part) {
        if (!response.headersSent) throw createInternalError(new Error('files sent bytes before their header.'));
        if (!response.write(part.value)) await once(response, 'drain', { signal: abort.signal });
      }
    }
  } catch (error) {
    if (isAppError(error) && error.code === 'range_unsatisfiable') {
      const size = error.details?.['size'];
      response.setHeader('Content-Range', `bytes */${typeof size === 'number' ? size : '*'}`);
    }
    throw error;
  }
  response.end();
}

export function bindObjects(bind: BindRoute, { files, clock }: Pick<GatewayContext, 'files' | 'clock'>): void {
  bind(routes.readObject, async ({ actor, params: { id }, query, rpc, request, response }) => {
    const objectRequest = {
      id,
      download: query.download,
      cache: (header: ReadObjectHeader) => cacheFor(header, clock.now()),
    };
    await sendObjectBytes(request, response, objectRequest, (range, signal) =>
      files.readObject(
        { actorId: actor.userId, objectId: id, width: query.size, range },
        { ...rpc, signal, timeoutMs: objectReadTimeoutMs },
      ),
    );
  });

  bind(routes.readBrandLogo, async ({ params: { id }, rpc, request, response }) => {
    const objectRequest = { id, download: undefined, cache: () => 'public, max-age=86400, immutable' };
    await sendObjectBytes(request, response, objectRequest, (range, signal) =>
      files.readBrandLogo({ objectId: id, range }, { ...rpc, signal, timeoutMs: objectReadTimeoutMs }),
    );
  });

  // Signed addresses expire, so no cache may store the response.
  bind(routes.readSignedObject, async ({ params: { id }, query, rpc, request, response }) => {
    const proof = { objectId: id, expiresAt: new Date(Number(query.expires)), signature: query.signature };
    await sendObjectBytes(
      request,
      response,
      { id, download: undefined, cache: () => 'private, no-store' },
      (range, signal) =>
        files.readSignedObject({ ...proof, range }, { ...rpc, signal, timeoutMs: objectReadTimeoutMs }),
    );
  });
}
