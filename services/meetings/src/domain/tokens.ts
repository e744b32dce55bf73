import { createHash, randomBytes } from 'node:crypto';

/** Returns 128 random bits, for invite links and guest passes. */
export function createMeetingToken(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns the stored form of a token. Read access to the database opens nothing. */
export function hashMeetingToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns whether a token is the current one. Comparing hashes reveals nothing through timing. */
export function isValidToken(hash: Buffer | null, token: string | undefined): boolean {
  return !!token && hash !== null && hashMeetingToken(token).equals(hash);
}
