import { fileKinds, maxReceivedFileNameLength, limits, maxThumbnailBytesFor, thumbnailWidths } from '@nolo/rules';
import * as z from 'zod/mini';
import { idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const kind = z.optional(z.enum(fileKinds));
const name = z.optional(z.string().check(z.maxLength(maxReceivedFileNameLength)));
/** Media type that the client assumes. Some clients send none or a null. */
const mediaType = z.optional(z.nullable(z.string().check(z.maxLength(255))));
const key = z.optional(z.string().check(z.maxLength(200)));
/** Additional file metadata. Unknown fields are ignored, because clients send everything they have. */
const metadata = z.optional(z.looseObject({ name, kind }));
/** Identifies the upload. Where clients talk to the storage directly, it is the storage's own upload id. */
const multipartParams = z.object({ uploadId: z.string().check(z.maxLength(1_024)) });
const partNumber = z.string().check(z.maxLength(20));
const etag = z.string().check(z.maxLength(100));
const maxThumbnailBytes = Math.max(...thumbnailWidths.map(maxThumbnailBytesFor));
/** Smaller picture from the uploader: a WebP of that width, in Base64. */
const thumbnail = z.object({
  width: z.literal(thumbnailWidths),
  data: z.base64().check(z.maxLength(4 * Math.ceil(maxThumbnailBytes / 3))),
});
const webAddress = z.string().check(z.minLength(1), z.maxLength(limits.linkLength));
const signature = z.object({
  expires: z.string().check(z.regex(/^\d{1,15}$/), z.maxLength(15)),
  signature: z.string().check(z.maxLength(200)),
});

const begun = ['file_too_large', 'upload_limit', 'storage_full_plan'] as const;
/** Reasons why no picture is created from an upload. */
export const pictureErrorCodes = ['file_not_image', 'image_too_large', 'picture_limit', 'pictures_busy'] as const;
const made = ['upload_not_found', 'upload_empty', 'file_too_large', ...pictureErrorCodes] as const;
const remote = [
  'link_invalid',
  'link_refused',
  'link_barred',
  'link_unreachable',
  'link_too_large',
  'imports_off',
] as const;

/**
 * Uploads and the files created from them. The paths under /s3, /url and `/api/{token}` follow the companion server
 * protocol, as an unmodified Uppy 5 with @uppy/aws-s3 uses it. docs/uploads.md describes it in full.
 */
export const fileRoutes = {
  getUploadParameters: defineRoute({
    method: 'GET',
    path: '/s3/params',
    access: 'session',
    scope: 'files:write',
    changes: true,
    tag: 'files',
    summary:
      'Start a single-request upload: returns the URL that accepts its bytes. Finish it by its id, which is the end of `key`',
    query: z.object({
      filename: name,
      type: mediaType,
      'metadata[name]': name,
      'metadata[kind]': kind,
    }),
    reply: z.object({
      method: z.literal('PUT'),
      url: z.string(),
      fields: z.object({}),
      headers: z.record(z.string(), z.string()),
      key: z.string(),
      /** Seconds. */
      expires: z.int(),
    }),
    limit: 'fileUploadsPerUserHour',
    errors: begun,
  }),
  createMultipart: defineRoute({
    method: 'POST',
    path: '/s3/multipart',
    access: 'session',
    scope: 'files:write',
    tag: 'files',
    summary: 'Start a multipart upload',
    body: z.object({ filename: z.optional(z.nullable(name)), type: mediaType, metadata }),
    reply: z.object({ key: z.string(), uploadId: z.string() }),
    limit: 'fileUploadsPerUserHour',
    errors: begun,
  }),
  listParts: defineRoute({
    method: 'GET',
    path: '/s3/multipart/{uploadId}',
    access: 'session',
    scope: 'files:read',
    tag: 'files',
    summary: 'List the parts that have arrived',
    params: multipartParams,
    query: z.object({ key }),
    reply: z.array(z.object({ PartNumber: z.int(), Size: z.int(), ETag: z.string() })),
    errors: ['upload_not_found', 'key_missing'],
  }),
  signPart: defineRoute({
    method: 'GET',
    path: '/s3/multipart/{uploadId}/{partNumber}',
    access: 'session',
    scope: 'files:write',
    tag: 'files',
    summary: 'Sign a part: get the URL that accepts its bytes',
    params: z.extend(multipartParams, { partNumber }),
    query: z.object({ key }),
    /** `expires` in seconds. */
    reply: z.object({ url: z.string(), expires: z.int(), headers: z.record(z.string(), z.string()) }),
    limit: 'uploadPartsPerUser',
    errors: ['upload_not_found', 'sign_incomplete'],
  }),
  completeMultipart: defineRoute({
    method: 'POST',
    path: '/s3/multipart/{uploadId}/complete',
    access: 'session',
    scope: 'files:write',
    tag: 'files',
    summary: 'Complete a multipart upload; repeating it returns the same answer',
    params: multipartParams,
    query: z.object({ key }),
    body: z.object({
      parts: z
        .array(z.object({ PartNumber: z.int().check(z.minimum(1), z.maximum(limits.uploadPartsMax)), ETag: etag }))
        .check(z.minLength(1), z.maxLength(limits.uploadPartsMax)),
    }),
    bodyBytes: 2_097_152,
    /** Three entries per part, and room for other fields that a client sends. */
    bodyEntries: 4 * limits.uploadPartsMax,
    reply: z.object({ location: z.string(), key: z.string(), file: s.file }),
    limit: 'uploadEndsPerUserHour',
    errors: [...made, 'key_missing', 'parts_invalid', 'storage_full_plan'],
  }),
  abortMultipart: defineRoute({
    method: 'DELETE',
    path: '/s3/multipart/{uploadId}',
    access: 'session',
    scope: 'files:write',
    tag: 'files',
    summary: 'Abort a multipart upload; repeating it changes nothing',
    params: multipartParams,
    query: z.object({ key }),
    reply: z.object({}),
    limit: 'uploadEndsPerUserHour',
    errors: ['key_missing'],
  }),
  getTemporaryCredentials: defineRoute({
    method: 'GET',
    path: '/s3/sts',
    access: 'session',
    tag: 'files',
    summary: 'Get credentials for your own multipart uploads, valid for 15 minutes, if the operator configured them',
    reply: z.object({
      credentials: z.object({
        AccessKeyId: z.string(),
        SecretAccessKey: z.string(),
        SessionToken: z.string(),
        Expiration: s.time,
      }),
      bucket: z.string(),
      region: z.string(),
    }),
    limit: 'temporaryCredentialsPerUser',
    errors: ['sts_not_configured', 'storage_unavailable'],
  }),
  writeFile: defineRoute({
    method: 'PUT',
    path: '/s3/uploads/{id}',
    access: 'signed',
    tag: 'files',
    summary: 'Send the bytes of a single-request upload; the URL comes from /s3/params',
    params: idParams,
    query: signature,
    bodyType: 'application/octet-stream',
    status: 200,
    errors: ['upload_not_found', 'upload_expired', 'file_too_large', 'upload_incomplete'],
  }),
  writePart: defineRoute({
    method: 'PUT',
    path: '/s3/uploads/{id}/{partNumber}',
    access: 'signed',
    tag: 'files',
    summary: 'Send the bytes of a part; the URL comes from signing the part. The answer identifies them in `ETag`',
    params: z.extend(idParams, { partNumber }),
    query: signature,
    bodyType: 'application/octet-stream',
    status: 200,
    errors: ['upload_not_found', 'upload_expired', 'file_too_large', 'upload_incomplete', 'sign_incomplete'],
  }),
  uploadMedia: defineRoute({
    method: 'POST',
    path: '/api/upload-media',
    access: 'session',
    scope: 'files:write',
    tag: 'files',
    summary: 'Upload a file in one request; the fields `kind` and `name` may come before it',
    bodyType: 'multipart/form-data',
    fileField: 'file',
    reply: s.file,
    limit: 'fileUploadsPerUserHour',
    errors: [...begun, 'file_missing', 'form_invalid', 'upload_incomplete', ...pictureErrorCodes, 'upload_empty'],
  }),
  finishFile: defineRoute({
    method: 'POST',
    path: '/api/files/{id}/finish',
    access: 'session',
    scope: 'files:write',
    tag: 'files',
    summary:
      'Finish a single-request upload as a file; repeating it returns the same answer. Smaller pictures may be included, and are generated if they are not what they claim to be',
    params: idParams,
    body: z.optional(
      z.object({ thumbnails: z.optional(z.array(thumbnail).check(z.maxLength(thumbnailWidths.length))) }),
    ),
    bodyBytes: 1_048_576,
    reply: s.file,
    limit: 'uploadEndsPerUserHour',
    errors: [...made, 'storage_full_plan'],
  }),
  getFile: defineRoute({
    method: 'GET',
    path: '/api/files/{id}',
    access: 'session',
    scope: 'files:read',
    tag: 'files',
    summary: 'Describe a file, for its uploader and its recipients',
    params: idParams,
    reply: s.file,
    errors: ['object_not_found'],
  }),
  getStorage: defineRoute({
    method: 'GET',
    path: '/api/storage',
    access: 'session',
    scope: 'files:read',
    tag: 'files',
    summary: 'Get how many bytes your account stores here, and its limit',
    reply: z.object({ used: z.int(), limit: z.nullable(z.int()) }),
  }),
  getLinkMeta: defineRoute({
    method: 'POST',
    path: '/url/meta',
    access: 'session',
    tag: 'files',
    summary: 'Describe the file behind a link before importing it; public addresses only',
    body: z.object({ url: webAddress }),
    reply: z.object({ name: z.string(), type: z.string(), size: z.nullable(z.int()) }),
    limit: 'importsPerUser',
    errors: remote,
  }),
  importLink: defineRoute({
    method: 'POST',
    path: '/url/get',
    access: 'session',
    tag: 'files',
    summary: 'Import a file from a link. It starts when the socket `/api/{token}` opens, which reports the progress',
    body: z.object({
      url: webAddress,
      fileId: z.optional(z.string().check(z.maxLength(4_096))),
      protocol: z.optional(z.string().check(z.maxLength(20))),
      size: z.optional(z.nullable(z.int())),
      metadata,
    }),
    reply: z.object({ token: z.string() }),
    limit: 'importsPerUser',
    errors: [...remote, 'storage_full_plan', 'protocol_unsupported'],
  }),
  createUpload: defineRoute({
    method: 'POST',
    path: '/api/objects/upload',
    access: 'session',
    scope: 'files:write',
    tag: 'files',
    summary: 'Get a URL to upload a picture to',
    body: z.optional(z.object({ purpose: z.optional(z.enum(['profile_image', 'group_picture', 'brand_logo'])) })),
    reply: z.object({ uploadURL: z.string(), expiresAt: s.time }),
    limit: 'uploadsPerUserHour',
  }),
  writeUpload: defineRoute({
    method: 'PUT',
    path: '/api/objects/upload/{id}',
    access: 'signed',
    tag: 'files',
    summary: 'Upload the bytes',
    params: idParams,
    query: z.object({ signature: z.string().check(z.maxLength(500)) }),
    bodyType: 'application/octet-stream',
    reply: z.object({ size: z.int() }),
    errors: ['upload_not_found', 'upload_expired', 'file_too_large'],
  }),
  setProfileImage: defineRoute({
    method: 'PUT',
    path: '/api/profile/image',
    access: 'session',
    tag: 'files',
    summary: 'Use an upload as your profile picture',
    body: z.object({ profileImageURL: z.string().check(z.maxLength(2_048)) }),
    reply: z.object({ objectPath: z.string() }),
    limit: 'uploadEndsPerUserHour',
    errors: ['upload_not_found', ...pictureErrorCodes],
  }),
  removeProfileImage: defineRoute({
    method: 'DELETE',
    path: '/api/profile/image',
    access: 'session',
    tag: 'files',
    status: 204,
    summary: 'Remove your profile picture',
    limit: 'uploadEndsPerUserHour',
  }),
  readObject: defineRoute({
    method: 'GET',
    path: '/objects/{id}',
    access: 'session',
    scope: 'files:read',
    tag: 'files',
    summary: 'Download a picture or a file; a range of it if `Range` is given',
    params: idParams,
    query: z.object({
      /** Width of a smaller picture. If that width does not exist, returns the next wider one or the picture itself. */
      size: z.optional(z.coerce.number().check(z.refine((width) => thumbnailWidths.some((one) => one === width)))),
      download: name,
    }),
    errors: ['object_not_found', 'range_unsatisfiable'],
  }),
  readSignedObject: defineRoute({
    method: 'GET',
    path: '/objects/{id}/signed',
    access: 'signed',
    tag: 'files',
    summary: 'Download a file for a platform that it is posted to; the URL is signed for an hour',
    params: idParams,
    query: signature,
    errors: ['object_not_found', 'address_expired', 'range_unsatisfiable'],
  }),
} as const;
