import { routes } from '@nolo/api';
import { isId } from '@nolo/kit/ids';
import type { WriteUploadRequest } from '@nolo/proto/files';
import { limits } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { discardBody } from '../http/formFile.ts';
import { readIncomingBytes } from '../http/readIncomingBytes.ts';
import { toIsoTime } from '../mapping/people.ts';

/** Timeout for creating pictures, which are queued and may run on a busy machine. */
export const pictureTimeoutMs = 120_000;

const tooLarge = () =>
  createGatewayError('too_large', 'file_too_large', 'The file is too large.', { maxBytes: limits.profileImageBytes });

async function* toWriteUploadRequests(
  header: { uploadId: string; signature: string },
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<WriteUploadRequest> {
  yield { part: { $case: 'header', value: header } };
  for await (const value of bytes) yield { part: { $case: 'chunk', value } };
}

/** Parses `/api/objects/upload/{id}` or its full address, as createUpload returns it. */
export function parseUploadId(address: string, publicUrl: string): string | undefined {
  if (!URL.canParse(address, publicUrl)) return undefined;
  const { pathname } = new URL(address, publicUrl);
  const id = /^\/api\/objects\/upload\/([^/]+)$/.exec(pathname)?.[1];
  return isId(id) ? id : undefined;
}

export function bindFiles(
  bind: BindRoute,
  context: Pick<GatewayContext, 'files' | 'identity' | 'publicUrl' | 'origins'>,
): void {
  const { files, identity, publicUrl } = context;

  bind(routes.createUpload, async ({ actor, body, rpc, request }) => {
    const { uploadId, signature, expiresAt } = await files.createUpload(
      { actorId: actor.userId, purpose: body?.purpose ?? 'profile_image' },
      rpc,
    );
    // A page may only access the origin that it was opened from.
    const { origin } = request.headers;
    const base = origin !== undefined && context.origins.has(origin) ? origin : publicUrl;
    const address = new URL(`/api/objects/upload/${uploadId}`, base);
    address.searchParams.set('signature', signature);
    return { uploadURL: address.href, expiresAt: toIsoTime(expiresAt) };
  });

  bind(routes.writeUpload, async ({ params, query, rpc, request, response }) => {
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    try {
      if (Number(request.headers['content-length'] ?? 0) > limits.profileImageBytes) throw tooLarge();
      const bytes = readIncomingBytes(request, { maxBytes: limits.profileImageBytes, tooLarge });
      const header = { uploadId: params.id, signature: query.signature };
      return await files.writeUpload(toWriteUploadRequests(header, bytes), { ...rpc, signal: abort.signal });
    } finally {
      discardBody(request);
    }
  });

  bind(routes.setProfileImage, async ({ actor, body, rpc }) => {
    const uploadId = parseUploadId(body.profileImageURL, publicUrl);
    if (uploadId === undefined)
      throw createGatewayError('not_found', 'upload_not_found', 'This upload does not exist.');
    const request = { actorId: actor.userId, uploadId };
    const { objectPath } = await files.finishProfileImage(request, { ...rpc, timeoutMs: pictureTimeoutMs });
    await identity.setProfileImage({ actorId: actor.userId, objectPath }, rpc);
    return { objectPath };
  });

  bind(routes.removeProfileImage, async ({ actor, rpc }) => {
    await identity.setProfileImage({ actorId: actor.userId }, rpc);
    await files.removeProfileImage({ actorId: actor.userId }, rpc);
  });
}
