import { routes } from '@nolo/api';
import type { UploadTarget } from '@nolo/proto/sharedFiles';
import type { Request, Response } from 'express';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { pictureTimeoutMs } from './files.ts';
import { toObjectPath, toFile } from '../mapping/files.ts';
import { parseUploadPartNumber, createSignIncompleteError } from './uploadPartNumber.ts';

/** Timeout for temporary credentials. Allows two attempts at the storage. */
const stsMs = 30_000;

const uploadNotFound = () => createGatewayError('not_found', 'upload_not_found', 'This upload does not exist.');
/** Returns the upload that an ID and a key identify together. The key ends with the file's ID. */
function uploadOf(uploadId: string, key: string | undefined, missing: () => Error) {
  if (key === undefined || key === '') throw missing();
  return { fileId: key.split('/').at(-1) ?? '', name: { key, uploadId } };
}

const keyMissing = () =>
  createGatewayError(
    'invalid',
    'key_missing',
    's3: the object key must be passed as a query parameter. For example: "?key=abc.jpg"',
  );

/** Treats "undefined", which Uppy sends for an unknown type, as empty. */
const known = (type: string | null | undefined) => (type == null || type === 'undefined' ? '' : type);

/**
 * Returns a signal that aborts when the client disconnects. The file need not be created then: the client can finish
 * the upload again.
 */
function whileOpen(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

export function bindUploads(
  bind: BindRoute,
  context: Pick<GatewayContext, 'sharedFiles' | 'publicUrl' | 'clock' | 'origins'>,
): void {
  const { sharedFiles, publicUrl, clock, origins } = context;

  /** Returns the upload address and its lifetime in seconds. */
  const addressFor = (request: Request, path: string, target: UploadTarget) => {
    const expiresAt = target.expiresAt ?? clock.now();
    const expires = Math.max(1, Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1_000));
    if (target.url) return { url: target.url, expires, headers: target.headers };
    // A page may only access the origin that it was opened from.
    const { origin } = request.headers;
    const url = new URL(path, origin !== undefined && origins.has(origin) ? origin : publicUrl);
    url.searchParams.set('expires', String(expiresAt.getTime()));
    url.searchParams.set('signature', target.signature ?? '');
    return { url: url.href, expires, headers: target.headers };
  };

  bind(routes.getUploadParameters, async ({ actor, query, rpc, request }) => {
    const { fileId, target, name } = await sharedFiles.beginUpload(
      {
        actorId: actor.userId,
        name: query['metadata[name]'] ?? query.filename ?? '',
        contentType: known(query.type),
        kind: query['metadata[kind]'],
        multipart: false,
      },
      rpc,
    );
    if (!target || !name) throw uploadNotFound();
    const address = addressFor(request, `/s3/uploads/${fileId}`, target);
    return { method: 'PUT' as const, fields: {}, key: name.key, ...address };
  });

  bind(routes.createMultipart, async ({ actor, body, rpc }) => {
    const { name } = await sharedFiles.beginUpload(
      {
        actorId: actor.userId,
        name: body.metadata?.name ?? body.filename ?? '',
        contentType: known(body.type),
        kind: body.metadata?.kind,
        multipart: true,
      },
      rpc,
    );
    if (!name) throw uploadNotFound();
    return { key: name.key, uploadId: name.uploadId };
  });

  bind(routes.listParts, async ({ actor, params, query, rpc }) => {
    const upload = uploadOf(params.uploadId, query.key, keyMissing);
    const { parts } = await sharedFiles.listParts({ actorId: actor.userId, ...upload }, rpc);
    return parts.map(({ number, size, etag }) => ({ PartNumber: number, Size: size, ETag: etag }));
  });

  bind(routes.signPart, async ({ actor, params, query, rpc, request }) => {
    const partNumber = parseUploadPartNumber(params.partNumber);
    const upload = uploadOf(params.uploadId, query.key, createSignIncompleteError);
    const target = await sharedFiles.signPart({ actorId: actor.userId, ...upload, partNumber }, rpc);
    return addressFor(request, `/s3/uploads/${upload.fileId}/${partNumber}`, target);
  });

  bind(routes.completeMultipart, async ({ actor, params, query, body, rpc, response }) => {
    const upload = uploadOf(params.uploadId, query.key, keyMissing);
    const parts = body.parts.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag, size: 0 }));
    const row = await sharedFiles.finishUpload(
      { actorId: actor.userId, ...upload, parts, thumbnails: [] },
      { ...rpc, timeoutMs: pictureTimeoutMs, signal: whileOpen(response) },
    );
    return { location: toObjectPath(upload.fileId), key: upload.name.key, file: toFile(row) };
  });

  bind(routes.abortMultipart, async ({ actor, params, query, rpc }) => {
    const upload = uploadOf(params.uploadId, query.key, keyMissing);
    await sharedFiles.abortUpload({ actorId: actor.userId, ...upload }, { ...rpc, timeoutMs: pictureTimeoutMs });
    return {};
  });

  bind(routes.getTemporaryCredentials, async ({ actor, rpc }) => {
    const given = await sharedFiles.getTemporaryCredentials({ actorId: actor.userId }, { ...rpc, timeoutMs: stsMs });
    const { accessKeyId, secretAccessKey, sessionToken, expiresAt, bucket, region } = given;
    // Field names of Amazon's response, as companion servers pass it on.
    const credentials = {
      AccessKeyId: accessKeyId,
      SecretAccessKey: secretAccessKey,
      SessionToken: sessionToken,
      Expiration: (expiresAt ?? clock.now()).toISOString(),
    };
    return { credentials, bucket, region };
  });

  bind(routes.finishFile, async ({ actor, params, body, rpc, response }) => {
    const given = body?.thumbnails ?? [];
    const thumbnails = given.map(({ width, data }) => ({ width, data: Buffer.from(data, 'base64') }));
    const request = { actorId: actor.userId, fileId: params.id, name: undefined, parts: [], thumbnails };
    return toFile(
      await sharedFiles.finishUpload(request, { ...rpc, timeoutMs: pictureTimeoutMs, signal: whileOpen(response) }),
    );
  });

  bind(routes.getFile, async ({ actor, params, rpc }) =>
    toFile(
      await sharedFiles.getFile({ actorId: actor.userId, fileId: params.id }, { ...rpc, timeoutMs: pictureTimeoutMs }),
    ),
  );

  bind(routes.getStorage, async ({ actor, rpc }) => {
    const { used, limit } = await sharedFiles.getUsage({ actorId: actor.userId }, rpc);
    return { used, limit: limit ?? null };
  });
}
