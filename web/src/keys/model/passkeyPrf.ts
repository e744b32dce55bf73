import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { postJson } from '../../api/verification.ts';

/** Returns true if browsers support passkeys here: they refuse IP addresses such as 127.0.0.1. */
export function canUsePasskeyPrf(hostname = location.hostname): boolean {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return !isAddress && typeof globalThis.PublicKeyCredential === 'function';
}

const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** Thrown if the passkey has no PRF (WebAuthn, level 3, section 10.1.4). */
export class PrfUnsupported extends Error {}

interface PrfResults {
  prf?: { results?: { first?: BufferSource } };
}

/**
 * Asks for one of the passkeys and returns its PRF's output of 32 bytes for the input. The output stays on the device.
 * Rejects with PrfUnsupported, or with the browser's error if the user declines.
 */
export async function readPasskeyPrf(
  credentialIds: readonly string[],
  input: Uint8Array,
): Promise<{ credentialId: string; prf: Uint8Array }> {
  const { options } = await postJson<{ options: PublicKeyCredentialRequestOptionsJSON }>('/api/passkeys/begin', {
    prove: true,
  });
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge: fromBase64url(options.challenge),
      ...(options.rpId !== undefined && { rpId: options.rpId }),
      allowCredentials: credentialIds.map((id) => ({ type: 'public-key' as const, id: fromBase64url(id) })),
      userVerification: 'required',
      extensions: { prf: { eval: { first: new Uint8Array(input) } } },
    },
  })) as PublicKeyCredential | null;
  if (credential === null) throw new DOMException('No passkey was used.', 'NotAllowedError');
  const first = (credential.getClientExtensionResults() as PrfResults).prf?.results?.first;
  if (first === undefined) throw new PrfUnsupported();
  const prf = ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first);
  return { credentialId: credential.id, prf };
}
