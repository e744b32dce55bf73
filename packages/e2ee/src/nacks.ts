import { equalBytes, type Bytes } from './bytes.ts';
import { bytes32, exactly, id, time, tuple, uint, type Reader } from './encoding.ts';
import { findDevice, type DeviceList } from './lists.ts';
import { type SigningKey } from './primitives.ts';
import { Refusal } from './refusal.ts';
import { assertSignedBy, protocolVersion, readBody, signStatement, type Statement } from './statements.ts';

/** Requests of devices for a secret whose box they cannot open (docs/encryption.md, section 4, Nack). */

export interface Nack {
  readonly conversation: Bytes;
  readonly n: number;
  readonly headerHash: Bytes;
  readonly account: Bytes;
  readonly device: Bytes;
  /** Number of the box keys that an answer may be sealed to. */
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

/** Signs a request as the device that asks. */
export const signNack = (key: SigningKey, nack: Nack): Promise<Statement> => {
  const { conversation, n, headerHash, account, device, boxNumber, at } = nack;
  return signStatement(statementType, key, [
    protocolVersion,
    conversation,
    n,
    headerHash,
    account,
    device,
    boxNumber,
    at,
  ]);
};

/** Reads a request without checking it. */
export const readNack = (statement: Pick<Statement, 'body'>): Nack => readBody(statement, reader);

/**
 * Checks that a device of a list signed a request.
 *
 * @param list newest list of the account
 * @throws Refusal `subject` for another account or a device that is not listed, `signature`, or `malformed`
 */
export async function checkNack(statement: Statement, list: DeviceList): Promise<Nack> {
  const nack = readNack(statement);
  const listed = findDevice(list, nack.device);
  if (!listed || !equalBytes(nack.account, list.account)) throw new Refusal('subject', 'a request of another device');
  await assertSignedBy(statementType, listed.signKey, statement);
  return nack;
}
