import type { Bytes } from '@nolo/e2ee/bytes';
import { Refusal } from '@nolo/e2ee/refusal';

/* Imports single modules, because the first screen needs nothing else of the package. */

/** Writes bytes as base64url without padding. */
export function toText(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Reads base64url.
 *
 * @throws Refusal `malformed`
 */
export function fromText(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  } catch {
    throw new Refusal('malformed', 'not base64url');
  }
}
