import type { Bytes } from './bytes.ts';
import { bytes32, exactly, id, time, tuple, uint, type Reader } from './encoding.ts';
import type { SigningKey } from './primitives.ts';
import { assertSignedBy, protocolVersion, readBody, signStatement, type Statement } from './statements.ts';

/** Requests of devices that cannot open their box (docs/encryption.md, section 4). */

export interface Nack {
  readonly conversation: Bytes;
  readonly n: number;
  readonly headerHash: Bytes;
  readonly account: Bytes;
  readonly device: Bytes;
  /** Number of the newest box keys of the device. */
  readonly boxNumber: number;
  /** Milliseconds since 1970 on the device's clock. */
  readonly at: number;
}

const statementType = 'nack';

const reader: Reader<Nack> = (value) => {
  const [, conversation, n, headerHash, account, device, boxNumber, at] = tuple(
    exactly(protocolVersion),
    id,
    uint(),
    bytes32,
    id,
    id,
    uint(),
    time,
  )(value);
  return { conversation, n, headerHash, account, device, boxNumber, at };
};

/** Signs a request as the device that cannot open its box. */
export const signNack = (key: SigningKey, nack: Nack): Promise<Statement> =>
  signStatement(statementType, key, [
    protocolVersion,
    nack.conversation,
    nack.n,
    nack.headerHash,
    nack.account,
    nack.device,
    nack.boxNumber,
    nack.at,
  ]);

/** Reads a request without checking it. */
export const readNack = (statement: Pick<Statement, 'body'>): Nack => readBody(statement, reader);

/**
 * Checks that the device signed a request.
 *
 * @throws Refusal `signature`
 */
export const checkNack = (statement: Statement, signKey: Bytes): Promise<void> =>
  assertSignedBy(statementType, signKey, statement);
