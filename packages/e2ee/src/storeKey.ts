import { concatBytes, type Bytes } from './bytes.ts';
import { Refusal } from './refusal.ts';

/**
 * Seals what a device stores. Separate from the primitives of the protocol, because the first screen opens what the
 * device stored, and must not wait for their libraries.
 */

/** Key of the engine that seals what a store keeps. Nobody can read its bytes. */
export type StoreKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const nonceLength = 12;

/** Creates a key for a store that keeps handles of the engine. */
export const createStoreKey = async (): Promise<StoreKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

/** Seals bytes for a store with AES-256-GCM, under a random nonce of 12 bytes that comes first. */
export async function sealForStore(key: StoreKey, plain: Bytes): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceLength));
  return concatBytes(iv, new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain)));
}

/**
 * Opens what `sealForStore` sealed.
 *
 * @throws Refusal `unopened` if the key differs or the bytes changed
 */
export async function openFromStore(key: StoreKey, sealed: Bytes): Promise<Bytes> {
  try {
    const parameters = { name: 'AES-GCM', iv: sealed.subarray(0, nonceLength) };
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, sealed.subarray(nonceLength)));
  } catch {
    throw new Refusal('unopened', 'the stored bytes do not open');
  }
}
