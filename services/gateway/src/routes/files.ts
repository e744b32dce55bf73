import { once } from 'node:events';
import { routes } from '@nolo/api';
import { internalError } from '@nolo/kit/errors';
import { isId } from '@nolo/kit/ids';
import type { WriteUploadRequest } from '@nolo/proto/files';
import { limits } from '@nolo/rules';
import type { Request } from 'express';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { isoTime } from './mapPeople.ts';

/** As the contract of the files service says. */
const chunkBytes = 262_144;

const tooLarge = () =>
  failGateway('too_large', 'file_too_large', 'The file is too large.', { maxBytes: limits.profileImageBytes });

/**
 * The parts of an upload as the files service wants them. Reading stops by itself while the service is slow, and for
 * good at the limit.
 */
async function* partsOf(
  request: Request,
  header: { uploadId: string; signature: string },
): AsyncGenerator<WriteUploadRequest> {
  yield { part: { $case: 'header', value: header } };
  let size = 0;
  try {
    // The request stays open when this loop ends early, for the answer still has to leave through it.
    for await (const bytes of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += bytes.length;
      if (size > limits.profileImageBytes) throw tooLarge();
      for (let start = 0; start < bytes.length; start += chunkBytes) {
        yield { part: { $case: 'chunk', value: bytes.subarray(start, start + chunkBytes) } };
      }
    }
  } catch (error) {
    if (request.complete || !request.destroyed) throw error;
    throw failGateway('invalid', 'upload_incomplete', 'The upload broke off.');
  }
}

/** `/api/objects/upload/{id}` or the whole address of it, as createUpload gave it. */
export function uploadIdOf(address: string, publicUrl: string): string | undefined {
  if (!URL.canParse(address, publicUrl)) return undefined;
  const { pathname } = new URL(address, publicUrl);
  const id = /^\/api\/objects\/upload\/([^/]+)$/.exec(pathname)?.[1];
  return isId(id) ? id : undefined;
}

export function bindFiles(bind: Bind, edge: Edge): void {
  const { files, identity, publicUrl } = edge;

  bind(routes.createUpload, async ({ actor, body, rpc, request }) => {
    const { uploadId, signature, expiresAt } = await files.createUpload(
      { actorId: actor.userId, purpose: body?.purpose ?? 'profile_image' },
      rpc,
    );
    // A page that was opened under another of our names may only talk to that one.
    const { origin } = request.headers;
    const base = origin !== undefined && edge.origins.has(origin) ? origin : publicUrl;
    const address = new URL(`/api/objects/upload/${uploadId}`, base);
    address.searchParams.set('signature', signature);
    return { uploadURL: address.href, expiresAt: isoTime(expiresAt) };
  });

  bind(routes.writeUpload, async ({ params, query, rpc, request, response }) => {
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    try {
      if (Number(request.headers['content-length'] ?? 0) > limits.profileImageBytes) throw tooLarge();
      const parts = partsOf(request, { uploadId: params.id, signature: query.signature });
      return await files.writeUpload(parts, { ...rpc, signal: abort.signal });
    } finally {
      // What still comes is read and dropped, so that the client gets to read the answer; but not for ever.
      if (!request.complete) {
        request.resume();
        setTimeout(() => {
          if (!request.complete) request.destroy();
        }, 10_000).unref();
      }
    }
  });

  bind(routes.setProfileImage, async ({ actor, body, rpc }) => {
    const uploadId = uploadIdOf(body.profileImageURL, publicUrl);
    if (uploadId === undefined) throw failGateway('not_found', 'upload_not_found', 'This upload does not exist.');
    const { objectPath } = await files.finishProfileImage({ actorId: actor.userId, uploadId }, rpc);
    await identity.setProfileImage({ actorId: actor.userId, objectPath }, rpc);
    return { objectPath };
  });

  bind(routes.removeProfileImage, async ({ actor, rpc }) => {
    await identity.setProfileImage({ actorId: actor.userId, objectPath: '' }, rpc);
    await files.removeProfileImage({ actorId: actor.userId }, rpc);
  });

  bind(routes.readObject, async ({ actor, params, rpc, request, response }) => {
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    const stream = files.readObject({ actorId: actor.userId, objectId: params.id }, { ...rpc, signal: abort.signal });
    const etag = `"${params.id}"`;
    for await (const { part } of stream) {
      if (part?.$case === 'header') {
        // Whoever may not read it gets no header, so this decides about permission before anything is said.
        response.set({
          'Content-Type': part.value.contentType,
          'X-Content-Type-Options': 'nosniff',
          'Content-Disposition': 'attachment',
          'Content-Security-Policy': "sandbox; default-src 'none'",
          'Cache-Control': 'private, max-age=31536000, immutable',
          ETag: etag,
        });
        if (request.headers['if-none-match'] === etag) {
          response.status(304).end();
          return;
        }
        response.setHeader('Content-Length', part.value.size);
        response.flushHeaders();
        if (request.method === 'HEAD') {
          response.end();
          return;
        }
      } else if (part) {
        if (!response.headersSent) throw internalError(new Error('The files service sent bytes before their header.'));
        if (!response.write(part.value)) await once(response, 'drain', { signal: abort.signal });
      }
    }
    response.end();
  });
}
