import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

export const testRelyingParty = { id: 'localhost', origins: ['http://localhost:8080'] };

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');

/**
 * Flags of authenticator data (WebAuthn, section 6.1): user present, user verified, backup eligible, backed up,
 * credential included.
 */
const flags = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40 };

/** Encodes an attestation without a statement as CBOR: fmt, attStmt, authData, in this order. */
function attestationObject(authData: Buffer): Buffer {
  const length = Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]);
  const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
  const entries = [text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), length, authData];
  return Buffer.concat([Buffer.from([0xa3]), ...entries]);
}

/** Encodes a P-256 key as COSE: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x),
    coordinate(0x22, y),
  ]);
}

export interface AuthenticatorChanges {
  origin?: string;
  rpId?: string;
  /** True to skip user verification. */
  unverified?: boolean;
  /** Counter value instead of the next one. */
  counter?: number;
  userHandle?: string;
  challenge?: string;
}

/**
 * Creates an authenticator with one passkey, using only node:crypto. `counts`: true to count like security keys; synced
 * ones do not.
 */
export function createSoftAuthenticator({ counts = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  let counter = 0;
  let userHandle = '';

  const clientData = (type: string, challenge: string, origin = testRelyingParty.origins[0]) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (changes: AuthenticatorChanges, more: number, rest = Buffer.alloc(0)) => {
    if (counts) counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(changes.counter ?? counter);
    const backup = counts ? 0 : flags.be | flags.bs;
    const flag = flags.up | (changes.unverified ? 0 : flags.uv) | backup | more;
    return Buffer.concat([sha256(changes.rpId ?? testRelyingParty.id), Buffer.from([flag]), count, rest]);
  };
  const credential = { id: base64url(credentialId), rawId: base64url(credentialId), type: 'public-key' as const };

  return {
    /** Answers `BeginPasskey`, as JSON. */
    make(options: string, changes: AuthenticatorChanges = {}): string {
      const { challenge, user } = JSON.parse(options) as { challenge: string; user: { id: string } };
      userHandle = user.id;
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId]);
      const data = authData(changes, flags.at, Buffer.concat([attested, coseKey(publicKey)]));
      return JSON.stringify({
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', changes.challenge ?? challenge, changes.origin)),
          attestationObject: base64url(attestationObject(data)),
          transports: ['internal'],
        },
      });
    },
    /** Answers `BeginPasskeySignIn`, as JSON. */
    sign(options: string, changes: AuthenticatorChanges = {}): string {
      const { challenge } = JSON.parse(options) as { challenge: string };
      const client = clientData('webauthn.get', changes.challenge ?? challenge, changes.origin);
      const data = authData(changes, 0);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return JSON.stringify({
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: changes.userHandle ?? userHandle,
        },
      });
    },
  };
}

export type SoftAuthenticator = ReturnType<typeof createSoftAuthenticator>;
