import { once } from 'node:events';
import { routes } from '@nolo/api';
import { internalError, isAppError } from '@nolo/kit/errors';
import type { ReadObjectHeader } from '@nolo/proto/files';
import type { Response } from 'express';
import { parseRange } from '../domain/byteRange.ts';
import { contentDisposition } from '../domain/contentDisposition.ts';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';

/** For as long as a reader may take, who can go on with a range. */
const readingMs = 3_600_000;

/** Whoever may not read gets no header of the files service, so this decides about permission before anything is said. */
function describe(response: Response, header: ReadObjectHeader, download: string | undefined): void {
  const { contentType, etag, name, inline } = header;
  const asFile = !inline || download !== undefined;
  response.set({
    // What is handed on as a file is bytes and nothing else, whatever it was found to be.
    'Content-Type': inline || name === '' ? contentType : 'application/octet-stream',
    'X-Content-Type-Options': 'nosniff',
    'Content-Disposition': contentDisposition(asFile ? 'attachment' : 'inline', download ?? name),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  });
}

export function bindObjects(bind: Bind, edge: Edge): void {
  const { files } = edge;

  bind(routes.readObject, async ({ actor, params, query, rpc, request, response }) => {
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    const { range: asked, 'if-none-match': known } = request.headers;
    const ifRange = request.get('if-range');
    // Bytes never change, so their name is their id; of a smaller picture the files service says it.
    const range = ifRange === undefined || ifRange.startsWith(`"${params.id}`) ? parseRange(asked) : undefined;
    const stream = files.readObject(
      { actorId: actor.userId, objectId: params.id, width: query.size ?? 0, range },
      { ...rpc, signal: abort.signal, timeoutMs: readingMs },
    );
    try {
      for await (const { part } of stream) {
        if (part?.$case === 'header') {
          const { etag, size, start, length } = part.value;
          describe(response, part.value, query.download);
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
          if (!response.headersSent)
            throw internalError(new Error('The files service sent bytes before their header.'));
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
  });
}
