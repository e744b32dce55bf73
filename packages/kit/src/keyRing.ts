import { webcrypto } from 'node:crypto';

/**
 * Format version of the stored bytes: one byte for the version, one for the length of the key's name, the name, 12 for
 * the nonce, the rest.
 */
const version = 1;
const nonceBytes = 12;

export interface KeyRing {
  /** @param bound owner of the text. With a different owner it cannot be opened, so rows cannot be swapped. */
  seal(text: string, bound: string): Promise<Buffer>;
  /** @throws if the key is no longer in the ring, or the bytes were changed. */
  open(sealed: Uint8Array, bound: string): Promise<string>;
  /** True if sealed with a key other than the first. */
  isOld(sealed: Uint8Array): boolean;
}

/**
 * Creates a key ring for AES-256-GCM. The first key seals, all keys open. To rotate, prepend a new key, reseal
 * everything over time, and then remove the old key.
 *
 * @param keys names and 32 bytes each.
 */
export function createKeyRing(keys: readonly { name: string; key: Buffer }[]): KeyRing {
  const [first] = keys;
  if (!first) throw new Error('A key ring needs at least one key.');
  const imported = new Map(
    keys.map(({ name, key }) => [
      name,
      webcrypto.subtle.importKey('raw', key as Buffer<ArrayBuffer>, 'AES-GCM', false, ['encrypt', 'decrypt']),
    ]),
  );
  const keyOf = async (name: string) => {
    const key = await imported.get(name);
    if (!key) throw new Error(`The key ring has no key ${name}.`);
    return key;
  };
  const algorithm = (name: string, nonce: Uint8Array, bound: string) => ({
    name: 'AES-GCM',
    iv: nonce as Uint8Array<ArrayBuffer>,
    additionalData: Buffer.from(`${version}:${name}:${bound}`),
  });

  return {
    async seal(text, bound) {
      const nonce = webcrypto.getRandomValues(new Uint8Array(nonceBytes));
      const sealed = await webcrypto.subtle.encrypt(
        algorithm(first.name, nonce, bound),
        await keyOf(first.name),
        Buffer.from(text),
      );
      const name = Buffer.from(first.name);
      return Buffer.concat([Buffer.from([version, name.length]), name, nonce, Buffer.from(sealed)]);
    },
    async open(sealed, bound) {
      const { name, nonce, rest } = splitSealed(sealed);
      const opened = await webcrypto.subtle.decrypt(algorithm(name, nonce, bound), await keyOf(name), rest);
      return Buffer.from(opened).toString();
    },
    isOld: (sealed) => splitSealed(sealed).name !== first.name,
  };
}

function splitSealed(sealed: Uint8Array) {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== version) throw new Error('The data is sealed in an unknown format.');
  const start = 2 + (bytes[1] ?? 0);
  return {
    name: bytes.subarray(2, start).toString(),
    nonce: bytes.subarray(start, start + nonceBytes),
    rest: new Uint8Array(bytes.subarray(start + nonceBytes)),
  };
}

/** Parses comma-separated `name:base64` pairs, of which the first seals. Returns undefined if invalid. */
export function parseKeyRing(text: string): { name: string; key: Buffer }[] | undefined {
  const keys = text.split(',').map((entry) => {
    const [, name = '', base64 = ''] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=?)$/.exec(entry.trim()) ?? [];
    return { name, key: Buffer.from(base64, 'base64') };
  });
  const names = new Set(keys.map(({ name }) => name));
  return names.size === keys.length && keys.every(({ key }) => key.length === 32) ? keys : undefined;
}
