import { routes } from '@nolo/api';
import { isAppError } from '@nolo/kit/errors';
import { isId } from '@nolo/kit/ids';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { UploadTarget, WriteBytesRequest } from '@nolo/proto/sharedFiles';
import { fileKinds, limits } from '@nolo/rules';
import type { Request, Response } from 'express';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { dropRest, withFormFile } from '../http/formFile.ts';
import { fileParts, incomingBytes } from '../http/incomingBytes.ts';
import { objectPath, toFile } from './mapFiles.ts';

/** Bytes travel for as long as it goes on; putting them together, or making a picture anew, is over before. */
const transferMs = 6 * 3_600_000;
const makingMs = 120_000;

const keyOf = (fileId: string) => `uploads/${fileId}`;

const tooLarge = (maxBytes: number) => () =>
  failGateway('too_large', 'file_too_large', 'The file is too large.', { maxBytes });
const uploadNotFound = () => failGateway('not_found', 'upload_not_found', 'This upload does not exist.');
/** The words of spec section 5. */
const signIncomplete = () =>
  failGateway('invalid', 'sign_incomplete', 'Cannot sign without a key, an uploadId, and a partNumber');

/** The upload that an id and a key name together: the key says nothing that the id does not. */
function uploadOf(uploadId: string, key: string | undefined, missing: () => Error): string {
  if (key === undefined || key === '') throw missing();
  if (!isId(uploadId) || key !== keyOf(uploadId)) throw uploadNotFound();
  return uploadId;
}

const keyMissing = () =>
  failGateway(
    'invalid',
    'key_missing',
    's3: the object key must be passed as a query parameter. For example: "?key=abc.jpg"',
  );

function partNumberOf(given: string): number {
  const number = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (number < 1 || number > limits.uploadPartsMax) throw signIncomplete();
  return number;
}

/** Uppy writes what it does not know as the word for it. */
const known = (type: string | null | undefined) => (type == null || type === 'undefined' ? '' : type);

async function* uploadParts(
  header: WriteBytesRequest,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<WriteBytesRequest> {
  yield header;
  for await (const value of bytes) yield { part: { $case: 'chunk', value } };
}

/** What an unmodified Uppy looks for to sign again and go on, where an address has expired. */
function sendExpired(response: Response): void {
  response
    .status(403)
    .type('application/xml')
    .send(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
    );
}

export function bindUploads(bind: Bind, edge: Edge): void {
  const { sharedFiles, publicUrl, clock, origins } = edge;

  /** The address for the bytes and how many seconds it works. */
  const addressFor = (request: Request, path: string, target: UploadTarget) => {
    const expiresAt = target.expiresAt ?? clock.now();
    const expires = Math.max(1, Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1_000));
    if (target.url !== '') return { url: target.url, expires, headers: target.headers };
    // A page that was opened under another of our names may only talk to that one.
    const { origin } = request.headers;
    const url = new URL(path, origin !== undefined && origins.has(origin) ? origin : publicUrl);
    url.searchParams.set('expires', String(expiresAt.getTime()));
    url.searchParams.set('signature', target.signature);
    return { url: url.href, expires, headers: target.headers };
  };

  bind(routes.getUploadParameters, async ({ actor, query, rpc, request }) => {
    const { fileId, target } = await sharedFiles.beginUpload(
      {
        actorId: actor.userId,
        name: query['metadata[name]'] ?? query.filename ?? '',
        contentType: known(query.type),
        kind: query['metadata[kind]'] ?? '',
        size: 0,
        multipart: false,
      },
      rpc,
    );
    if (!target) throw uploadNotFound();
    const address = addressFor(request, `/s3/uploads/${fileId}`, target);
    return { method: 'PUT' as const, fields: {}, key: keyOf(fileId), ...address };
  });

  bind(routes.createMultipart, async ({ actor, body, rpc }) => {
    const { fileId } = await sharedFiles.beginUpload(
      {
        actorId: actor.userId,
        name: body.metadata?.name ?? body.filename ?? '',
        contentType: known(body.type),
        kind: body.metadata?.kind ?? '',
        size: 0,
        multipart: true,
      },
      rpc,
    );
    return { key: keyOf(fileId), uploadId: fileId };
  });

  bind(routes.listParts, async ({ actor, params, query, rpc }) => {
    const fileId = uploadOf(params.uploadId, query.key, keyMissing);
    const { parts } = await sharedFiles.listParts({ actorId: actor.userId, fileId }, rpc);
    return parts.map(({ number, size, etag }) => ({ PartNumber: number, Size: size, ETag: etag }));
  });

  bind(routes.signPart, async ({ actor, params, query, rpc, request }) => {
    const partNumber = partNumberOf(params.partNumber);
    const fileId = uploadOf(params.uploadId, query.key, signIncomplete);
    const target = await sharedFiles.signPart({ actorId: actor.userId, fileId, partNumber }, rpc);
    return addressFor(request, `/s3/uploads/${fileId}/${partNumber}`, target);
  });

  bind(routes.completeMultipart, async ({ actor, params, query, body, rpc }) => {
    const fileId = uploadOf(params.uploadId, query.key, keyMissing);
    const parts = body.parts.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag, size: 0 }));
    const row = await sharedFiles.finishUpload(
      { actorId: actor.userId, fileId, parts },
      { ...rpc, timeoutMs: makingMs },
    );
    return { location: objectPath(fileId), key: keyOf(fileId), file: toFile(row) };
  });

  bind(routes.abortMultipart, async ({ actor, params, query, rpc }) => {
    if (query.key === undefined || query.key === '') throw keyMissing();
    if (isId(params.uploadId) && query.key === keyOf(params.uploadId)) {
      await sharedFiles.abortUpload(
        { actorId: actor.userId, fileId: params.uploadId },
        { ...rpc, timeoutMs: makingMs },
      );
    }
    return {};
  });

  bind(routes.getTemporaryCredentials, async () => {
    // What they would allow cannot be held to an upload that was begun here, so there are none.
    throw failGateway('invalid', 'sts_not_configured', 'Temporary credentials are not given out here.');
  });

  const write = async (
    { request, response, rpc }: { request: Request; response: Response; rpc: RpcCallOptions },
    place: { fileId: string; partNumber: number; maxBytes: number },
    proof: { expires: string; signature: string },
  ): Promise<void> => {
    const { fileId, partNumber, maxBytes } = place;
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    try {
      const length = request.headers['content-length'];
      if (length === undefined) throw failGateway('invalid', 'length_required', 'Say how many bytes will come.');
      const size = Number(length);
      if (size > maxBytes) throw tooLarge(maxBytes)();
      const expiresAt = new Date(Number(proof.expires));
      const header = { fileId, partNumber, expiresAt, signature: proof.signature, size };
      const bytes = incomingBytes(request, { maxBytes, tooLarge: tooLarge(maxBytes) });
      const { etag } = await sharedFiles.writeBytes(uploadParts({ part: { $case: 'header', value: header } }, bytes), {
        ...rpc,
        signal: abort.signal,
        timeoutMs: transferMs,
      });
      response.setHeader('ETag', etag);
      response.setHeader('Access-Control-Expose-Headers', 'ETag, Location');
      // Of an upload in one piece this is what Uppy tells as the place of the file.
      if (partNumber === 0) response.setHeader('Location', objectPath(fileId));
      response.status(200).end();
    } catch (error) {
      if (!isAppError(error) || error.code !== 'upload_expired') throw error;
      sendExpired(response);
    } finally {
      dropRest(request);
    }
  };

  bind(routes.writeFile, async ({ params, query, ...call }) =>
    write(call, { fileId: params.id, partNumber: 0, maxBytes: limits.singleUploadBytes }, query),
  );

  bind(routes.writePart, async ({ params, query, ...call }) =>
    write(
      call,
      { fileId: params.id, partNumber: partNumberOf(params.partNumber), maxBytes: limits.uploadPartBytesMax },
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
      return toFile(await sharedFiles.storeFile(fileParts(header, bytes), call));
    });
  });

  bind(routes.finishFile, async ({ actor, params, rpc }) =>
    toFile(
      await sharedFiles.finishUpload(
        { actorId: actor.userId, fileId: params.id, parts: [] },
        { ...rpc, timeoutMs: makingMs },
      ),
    ),
  );

  bind(routes.getFile, async ({ actor, params, rpc }) =>
    toFile(await sharedFiles.getFile({ actorId: actor.userId, fileId: params.id }, { ...rpc, timeoutMs: makingMs })),
  );

  bind(routes.getStorage, async ({ actor, rpc }) => {
    const { used, limit } = await sharedFiles.getUsage({ actorId: actor.userId }, rpc);
    return { used, limit };
  });
}
