import { createECDH } from 'node:crypto';

/** Keys by which push services identify this installation (RFC 8292), Base64 for URLs. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * Stores the keys: those configured by the operator, or those that this service's first process created for all others.
 */
export interface VapidKeyStore {
  get(): Promise<VapidKeys>;
  /** Re-encrypts the key after the key ring's first key changed. */
  reseal(): Promise<void>;
}

/** Derives the public key of a P-256 private key. Undefined if the key is invalid. */
export function deriveVapidKeys(privateKey: string): VapidKeys | undefined {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
    return { publicKey: curve.getPublicKey().toString('base64url'), privateKey };
  } catch {
    return undefined;
  }
}
