import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Upload } from './ports.ts';

/** How long an upload address works (design, section 7). */
export const addressLifetimeMs = 15 * 60_000;
/** Uploads that one account may have open at once. */
export const maxPendingUploads = 10;
/** An upload that nobody finished is deleted after this. */
export const pendingLifetimeMs = 60 * 60_000;
/** Finishing a finished upload again gives the same answer for this long. */
export const finishedLifetimeMs = 24 * 60 * 60_000;

/**
 * Proves that the address of an upload was signed here. It covers everything that the address grants,
 * so none of it can be changed, and the signature of one upload is worth nothing for another.
 */
export function signUpload(secret: string, upload: Pick<Upload, 'id' | 'expiresAt' | 'purpose' | 'ownerId'>): string {
  const { id, expiresAt, purpose, ownerId } = upload;
  return createHmac('sha256', secret)
    .update([id, expiresAt.getTime(), purpose, ownerId].join('\n'))
    .digest('base64url');
}

export function isSignedBy(secret: string, upload: Upload, signature: string): boolean {
  const expected = Buffer.from(signUpload(secret, upload));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
