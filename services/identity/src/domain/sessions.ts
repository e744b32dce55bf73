import { createHash, randomBytes } from 'node:crypto';
import { networksOf } from '@nolo/kit/network';

const day = 86_400_000;

/** An unused session ends after this. */
export const sessionLifetimeMs = 90 * day;
/** `expires_at` moves at most this often, so that using a session is not a write each time. */
const renewAfterMs = day;
/** How exact `last_used_at` is. */
const touchAfterMs = 5 * 60_000;

/** 32 random bytes: not to be guessed, so nothing slower than SHA-256 is needed to store it (OWASP ASVS 3.2). */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Anything else cannot be a token of ours and is not worth a look into storage. */
export function looksLikeToken(token: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(token);
}

/**
 * Where a session was opened from, as far as that is kept: three quarters of an IPv4 address, and the first 48 bits of an IPv6
 * address, which tell a person whether it was at home and nobody else which line it was.
 */
export function keptNetwork(address: string): string | undefined {
  const [narrow = '', wide] = networksOf(address.trim());
  if (wide !== undefined) return wide;
  return /^\d+(\.\d+){3}$/.test(narrow) ? narrow.replace(/\d+$/, 'x') : undefined;
}

export interface SessionTimes {
  lastUsedAt: Date;
  expiresAt: Date;
}

/** The times to store now that the session was used; undefined while the stored ones are near enough. */
export function renewal(stored: SessionTimes, now: Date): SessionTimes | undefined {
  if (now.getTime() - stored.lastUsedAt.getTime() < touchAfterMs) return undefined;
  const full = now.getTime() + sessionLifetimeMs;
  const stale = full - stored.expiresAt.getTime() >= renewAfterMs;
  return { lastUsedAt: now, expiresAt: stale ? new Date(full) : stored.expiresAt };
}
