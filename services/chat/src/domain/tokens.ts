import { createHash, randomBytes } from 'node:crypto';

/** Creates a token of 128 bits for invite links (decision 9 requires 64). */
export function createInviteToken(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns the stored hash of a token, which is useless to anyone who reads the database. */
export function hashInviteToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
