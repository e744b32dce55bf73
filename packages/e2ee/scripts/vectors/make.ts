import { createHash } from 'node:crypto';
import { toHex, type Bytes } from '../../src/bytes.ts';
import { encodeCanonical } from '../../src/encoding.ts';
import { Refusal, type RefusalCode } from '../../src/refusal.ts';
import { signingKeyFromSeed, type SigningKey } from '../../src/primitives.ts';
import type { DeviceKind, Pin } from '../../src/lists.ts';

/** Inputs of the vectors. Everything follows from names, so that the vectors are the same each time. */

/** Returns bytes that follow from a name. */
export const bytesOf = (name: string, length = 32): Bytes =>
  Uint8Array.from(createHash('shake256', { outputLength: length }).update(`nolo vectors: ${name}`).digest());

/** Time of all statements. */
export const at = Date.UTC(2026, 10, 29);

export const account = bytesOf('account', 16);

export interface NamedDevice {
  readonly id: Bytes;
  readonly kind: DeviceKind;
  readonly signKey: Bytes;
  readonly seed: Bytes;
  readonly key: SigningKey;
}

/** Returns the id of a device with this key. */
export function idOf(signKey: Bytes): Bytes {
  const hash = createHash('sha256').update('nolo/1/device\0');
  const id = Uint8Array.from(
    hash
      .update(encodeCanonical([account, signKey]))
      .digest()
      .subarray(0, 16),
  );
  return changeByte(
    changeByte(id, 6, (byte) => 0x80 | (byte & 0x0f)),
    8,
    (byte) => 0x80 | (byte & 0x3f),
  );
}

/** Returns the device with a name. */
export function deviceOf(name: string, kind: DeviceKind = 0): NamedDevice {
  const seed = bytesOf(`${name}: signing key`);
  const key = signingKeyFromSeed(seed);
  return { id: idOf(key.publicKey), kind, signKey: key.publicKey, seed, key };
}

/** Writes a pin as JSON. */
export const pinToJson = ({ account: of, identity, n, hash }: Pin) => ({
  account: toHex(of),
  identity: toHex(identity),
  n,
  hash: toHex(hash),
});

/** Returns the code of the refusal, or null if nothing was refused. */
export async function codeOf(made: () => unknown): Promise<RefusalCode | null> {
  try {
    await made();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** Returns a copy with one byte changed. */
export const changeByte = (bytes: Uint8Array, index: number, to: (byte: number) => number): Bytes => {
  const changed = Uint8Array.from(bytes);
  const place = index < 0 ? bytes.length + index : index;
  changed[place] = to(changed[place] ?? 0);
  return changed;
};

/** Replaces the engine's random bytes by ones that follow from their order. */
export function fixRandomBytes(): void {
  let count = 0;
  crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
    if (array === null) return array;
    const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    view.set(bytesOf(`random ${(count += 1)}`, view.length));
    return array;
  };
}
