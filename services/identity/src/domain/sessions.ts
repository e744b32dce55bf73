import { createHash, randomBytes } from 'node:crypto';
import { networksOf } from '@nolo/kit/network';

const day = 86_400_000;

/** Lifetime of an unused session. */
export const sessionLifetimeMs = 90 * day;
/** Minimum interval between changes of `expires_at`, so not every use is a write. */
const renewAfterMs = day;
/** Precision of `last_used_at`. */
const touchAfterMs = 5 * 60_000;

/** Returns 32 random bytes. They cannot be guessed, so SHA-256 suffices for storage (OWASP ASVS 3.2). */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** True if the text has the form of a token. Anything else needs no lookup. */
export function looksLikeToken(token: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(token);
}

/**
 * Returns the stored part of the address that opened a session: three quarters of an IPv4 address or the first 48 bits
 * of an IPv6 address. Enough for users to recognize their home, but not for others to identify the connection.
 */
export function truncateNetwork(address: string): string | undefined {
  const [narrow = '', wide] = networksOf(address.trim());
  if (wide !== undefined) return wide;
  return /^\d+(\.\d+){3}$/.test(narrow) ? narrow.replace(/\d+$/, 'x') : undefined;
}

export interface SessionTimes {
  lastUsedAt: Date;
  expiresAt: Date;
}

/** Returns the times to store after a use, or undefined while the stored ones are accurate enough. */
export function computeRenewal(stored: SessionTimes, now: Date): SessionTimes | undefined {
  if (now.getTime() - stored.lastUsedAt.getTime() < touchAfterMs) return undefined;
  const full = now.getTime() + sessionLifetimeMs;
  const stale = full - stored.expiresAt.getTime() >= renewAfterMs;
  return { lastUsedAt: now, expiresAt: stale ? new Date(full) : stored.expiresAt };
}
