import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { concatBytes, fromHex, toHex, utf8, type Bytes } from '../../src/bytes.ts';
import { encodeCanonical, type Encodable } from '../../src/encoding.ts';
import { isSignatureValid } from '../../src/primitives.ts';
import { hashOfStatement, signStatement } from '../../src/statements.ts';
import { account, bytesOf, changeByte, deviceOf } from './make.ts';

const { Point } = ed25519;
const order = Point.Fn.ORDER;
type Point = typeof Point.BASE;

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const toLittleEndian = (number: bigint): Bytes => Uint8Array.from(Point.Fn.toBytes(number));
const challengeOf = (R: Uint8Array, A: Uint8Array, message: Uint8Array): bigint =>
  littleEndian(
    createHash('sha512')
      .update(concatBytes(R, A, message))
      .digest(),
  ) % order;

/** Point of order 8. */
const torsion = Point.fromBytes(fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'));
const [secret, once] = ['scalar', 'nonce'].map((name) => (littleEndian(bytesOf(name)) % (order - 1n)) + 1n) as [
  bigint,
  bigint,
];

/** Signs without regard to rules, with these points added to the key and to R. */
function sign(message: Bytes, inKey: Point, inR: Point) {
  const A = Point.BASE.multiply(secret).add(inKey).toBytes();
  const R = Point.BASE.multiply(once).add(inR).toBytes();
  const S = (once + challengeOf(R, A, message) * secret) % order;
  return {
    key: Uint8Array.from(A),
    signature: concatBytes(R, toLittleEndian(S)),
    challenge: challengeOf(R, A, message),
  };
}

/** Returns the first message whose challenge makes a key with a part of order 8 verify, or not. */
function findMessage(verifies: boolean): Bytes {
  for (let count = 0; ; count += 1) {
    const message = utf8(`message ${count}`);
    if ((sign(message, torsion, Point.ZERO).challenge % 8n === 0n) === verifies) return message;
  }
}

/** Signatures about which implementations of Ed25519 differ (section 2). */
export async function makeSignatures() {
  const message = utf8('message');
  const plain = sign(message, Point.ZERO, Point.ZERO);
  const [A, R, S] = [plain.key, plain.signature.slice(0, 32), plain.signature.slice(32)];
  const identity = fromHex(`01${'00'.repeat(31)}`);
  const tooLarge = littleEndian(S) + order;
  const larger = Uint8Array.from({ length: 32 }, (_, index) => Number((tooLarge >> BigInt(8 * index)) & 0xffn));
  const [mixed, lucky] = [findMessage(false), findMessage(true)];
  const nothing = toLittleEndian(0n);
  // The field's prime plus 1 is another encoding of y = 1, and plus 3 one of y = 3, a point of large order.
  const above = (offset: number) => fromHex(`${(0xed + offset).toString(16)}${'ff'.repeat(30)}7f`);
  const cases: [why: string, key: Bytes, message: Bytes, signature: Bytes][] = [
    ['a valid signature', A, message, plain.signature],
    ['another message', A, utf8('another'), plain.signature],
    ['another key', changeByte(A, 0, (byte) => byte ^ 1), message, plain.signature],
    ['S plus the order', A, message, concatBytes(R, larger)],
    ['R and S of zero', A, message, concatBytes(identity, nothing)],
    ['a key and R of small order', identity, message, concatBytes(identity, nothing)],
    ['a key of order 8', Uint8Array.from(torsion.toBytes()), message, concatBytes(identity, nothing)],
    ['a key with another encoding of a small point', above(1), message, concatBytes(identity, nothing)],
    ['R with another encoding of a small point', A, message, concatBytes(above(1), S)],
    ['a key with another encoding of a large point', above(3), message, plain.signature],
    ['zero with a sign as the key', fromHex(`01${'00'.repeat(30)}80`), message, concatBytes(identity, nothing)],
    ['a key that is no point', fromHex(`02${'00'.repeat(31)}`), message, plain.signature],
    ['R that is no point', A, message, concatBytes(fromHex(`02${'00'.repeat(31)}`), S)],
    ['R with a part of order 8', A, message, sign(message, Point.ZERO, torsion).signature],
    [
      'a key with a part of order 8',
      sign(mixed, torsion, Point.ZERO).key,
      mixed,
      sign(mixed, torsion, Point.ZERO).signature,
    ],
    [
      'such a key that verifies without cofactor',
      sign(lucky, torsion, Point.ZERO).key,
      lucky,
      sign(lucky, torsion, Point.ZERO).signature,
    ],
    ['a short signature', A, message, plain.signature.slice(0, 63)],
    ['a long signature', A, message, concatBytes(plain.signature, Uint8Array.of(0))],
    ['a short key', A.slice(0, 31), message, plain.signature],
  ];
  return Promise.all(
    cases.map(async ([why, key, text, signature]) => ({
      why,
      key: toHex(key),
      message: toHex(text),
      signature: toHex(signature),
      valid: await isSignatureValid(key, text, signature),
    })),
  );
}

/** Statements of types of the paper: label, body, signature, and hash. */
export async function makeStatements() {
  const { seed, key, id } = deviceOf('statement');
  const bodies: [type: string, body: Encodable][] = [
    ['list', [1, account, 0]],
    ['boxkeys', [1, account, id, 0]],
    ['recovery', [1, account, bytesOf('identity')]],
    ['header', [1, bytesOf('conversation', 16), 2, 7, null, 'text', []]],
    ['room/secret', [1, null]],
  ];
  return Promise.all(
    bodies.map(async ([type, body]) => {
      const statement = await signStatement(type, key, body);
      return {
        type,
        seed: toHex(seed),
        key: toHex(key.publicKey),
        body: toHex(encodeCanonical(body)),
        signature: toHex(statement.signature),
        hash: toHex(await hashOfStatement(type, statement)),
      };
    }),
  );
}
