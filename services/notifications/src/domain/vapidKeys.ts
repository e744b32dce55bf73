import { createECDH } from 'node:crypto';

/** By which browsers know this installation (RFC 8292), in Base64 for addresses. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The keys that the operator named, or those that the first process of this service made and all others find. */
export interface VapidKeyStore {
  get(): Promise<VapidKeys>;
  /** Once the first key of the ring is another one. */
  reseal(): Promise<void>;
}

/** The public half of a private key of P-256; undefined where it is none. */
export function vapidKeysOf(privateKey: string): VapidKeys | undefined {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
    return { publicKey: curve.getPublicKey().toString('base64url'), privateKey };
  } catch {
    return undefined;
  }
}
