import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StoredPictureUpload } from './ports.ts';

/** Lifetime of an upload URL (design, section 7). */
export const uploadUrlLifetimeMs = 15 * 60_000;
/** Maximum open uploads per account. */
export const maxPendingPictureUploads = 10;
/** Lifetime of an unfinished upload. */
export const pendingLifetimeMs = 60 * 60_000;
/** Time during which finishing a finished upload again returns the same result. */
export const finishedLifetimeMs = 24 * 60 * 60_000;

/**
 * Signs the URL of an upload. The signature covers everything that the URL grants, so none of it can be changed, and it
 * is useless for any other upload.
 */
export function signPictureUpload(
  secret: string,
  upload: Pick<StoredPictureUpload, 'id' | 'expiresAt' | 'purpose' | 'ownerId'>,
): string {
  const { id, expiresAt, purpose, ownerId } = upload;
  return createHmac('sha256', secret)
    .update([id, expiresAt.getTime(), purpose, ownerId].join('\n'))
    .digest('base64url');
}

export function isValidPictureUploadSignature(secret: string, upload: StoredPictureUpload, signature: string): boolean {
  const expected = Buffer.from(signPictureUpload(secret, upload));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
