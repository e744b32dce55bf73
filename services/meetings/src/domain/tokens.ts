import { createHash, randomBytes } from 'node:crypto';

/** 128 bits, for invite links and guests' passes. */
export function makeToken(): string {
  return randomBytes(16).toString('base64url');
}

/** What is kept of a token: whoever reads the database can open nothing with it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether a token is the one in force; hashes of equal tokens are equal, and nothing is learned from how long it takes. */
export function holdsToken(hash: Buffer | null, token: string | undefined): boolean {
  return !!token && hash !== null && hashToken(token).equals(hash);
}
