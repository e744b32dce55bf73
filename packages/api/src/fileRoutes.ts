import * as z from 'zod/mini';
import { idParams } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';

/** Uploads and what they become. */
export const fileRoutes = {
  createUpload: route({
    method: 'POST',
    path: '/api/objects/upload',
    access: 'session',
    tag: 'files',
    summary: 'Get an address to upload a picture to',
    body: z.optional(z.object({ purpose: z.optional(z.enum(['profile_image', 'group_picture'])) })),
    reply: z.object({ uploadURL: z.string(), expiresAt: s.time }),
    limit: 'uploadsPerUserHour',
  }),
  writeUpload: route({
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
  setProfileImage: route({
    method: 'PUT',
    path: '/api/profile/image',
    access: 'session',
    tag: 'files',
    summary: "Make an upload one's profile picture",
    body: z.object({ profileImageURL: z.string().check(z.maxLength(2_048)) }),
    reply: z.object({ objectPath: z.string() }),
    errors: ['upload_not_found', 'file_not_image', 'image_too_large'],
  }),
  removeProfileImage: route({
    method: 'DELETE',
    path: '/api/profile/image',
    access: 'session',
    tag: 'files',
    status: 204,
    summary: "Remove one's profile picture",
  }),
  readObject: route({
    method: 'GET',
    path: '/objects/{id}',
    access: 'session',
    tag: 'files',
    summary: 'The bytes of an object',
    params: idParams,
    errors: ['object_not_found'],
  }),
} as const;
