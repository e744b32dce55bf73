import { concatBytes, type Bytes } from './bytes.ts';
import {
  bytesUpTo,
  decodeCanonical,
  encodeCanonical,
  signatureBytes,
  tuple,
  uint,
  type Encodable,
  type Reader,
} from './encoding.ts';
import { hashFor, isSignatureValid, labelOf, signBytes, type SigningKey } from './primitives.ts';
import { Refusal } from './refusal.ts';

/** Signed statement: its canonical body and the Ed25519 signature over its label and body. */
export interface Statement {
  readonly body: Bytes;
  readonly signature: Bytes;
}

/** Version of every statement. */
export const protocolVersion = 1;

/** Signs a body as a statement of a type. */
export async function signStatement(type: string, key: SigningKey, body: Encodable): Promise<Statement> {
  const encoded = encodeCanonical(body);
  return { body: encoded, signature: await signBytes(key, concatBytes(labelOf(type), encoded)) };
}

const maxBodyBytes = 65_536;
const statementReader = tuple(bytesUpTo(maxBodyBytes), signatureBytes);

/** Encodes a statement that is stored as one value. */
export const encodeStatement = ({ body, signature }: Statement): Bytes => encodeCanonical([body, signature]);

/** Reads what `encodeStatement` wrote, without checking it. @throws Refusal `malformed` */
export function decodeStatement(encoded: Uint8Array): Statement {
  const [body, signature] = decodeCanonical(encoded, statementReader);
  return { body, signature };
}

/** Hash of a statement: of its body, so that one body has one hash. */
export const hashOfStatement = (type: string, { body }: Pick<Statement, 'body'>): Promise<Bytes> => hashFor(type, body);

/**
 * Verifies who signed a statement.
 *
 * @throws Refusal `signature`
 */
export async function assertSignedBy(type: string, publicKey: Bytes, { body, signature }: Statement): Promise<void> {
  if (!(await isSignatureValid(publicKey, concatBytes(labelOf(type), body), signature)))
    throw new Refusal('signature', `the signature of this ${type} is not valid`);
}

/**
 * Reads the body of a statement, whose first item is the version. Verifies nothing else.
 *
 * @throws Refusal `version` for another version, `malformed` for anything else that the reader refuses
 */
export function readBody<T>({ body }: Pick<Statement, 'body'>, reader: Reader<T>): T {
  const version = decodeCanonical(body, (value) => uint()(Array.isArray(value) ? value[0] : undefined));
  if (version !== protocolVersion) throw new Refusal('version', 'a statement of another version');
  return decodeCanonical(body, reader);
}
