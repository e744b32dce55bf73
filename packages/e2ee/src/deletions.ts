import { maxOwnRows } from './boundMessages.ts';
import { equalBytes, type Bytes } from './bytes.ts';
import { bytes32, exactly, id, listOf, time, tuple, uint, type Reader } from './encoding.ts';
import { hashOfHeader, type Header } from './headers.ts';
import type { ListedDevice } from './lists.ts';
import type { SigningKey } from './primitives.ts';
import { Refusal } from './refusal.ts';
import {
  assertSignedBy,
  hashOfStatement,
  protocolVersion,
  readBody,
  signStatement,
  type Statement,
} from './statements.ts';

/** Deletions of messages for everyone (docs/encryption.md, section 5). */

export interface Deletion {
  readonly conversation: Bytes;
  /** Number and hash of the header in which the device acts. */
  readonly n: number;
  readonly headerHash: Bytes;
  readonly messageId: Bytes;
  /** Row hash of the deleted message. */
  readonly row: Bytes;
  readonly account: Bytes;
  readonly device: Bytes;
  /** Hashes of this device's messages and deletions that none of them named before. */
  readonly own: readonly Bytes[];
  /** Milliseconds since 1970 on the device's clock. */
  readonly at: number;
}

const statementType = 'delete';

const reader: Reader<Deletion> = (value) => {
  const [, conversation, n, headerHash, messageId, row, account, device, own, at] = tuple(
    exactly(protocolVersion),
    id,
    uint(),
    bytes32,
    id,
    bytes32,
    id,
    id,
    listOf(bytes32, maxOwnRows),
    time,
  )(value);
  return { conversation, n, headerHash, messageId, row, account, device, own, at };
};

/** Signs a deletion as the device that it names. */
export const signDeletion = (key: SigningKey, deletion: Deletion): Promise<Statement> => {
  const { conversation, n, headerHash, messageId, row, account, device, own, at } = deletion;
  return signStatement(statementType, key, [
    protocolVersion,
    conversation,
    n,
    headerHash,
    messageId,
    row,
    account,
    device,
    own,
    at,
  ]);
};

/** Hash that names a deletion among the rows of its device. */
export const hashOfDeletion = (statement: Pick<Statement, 'body'>): Promise<Bytes> =>
  hashOfStatement(statementType, statement);

/**
 * Reads a deletion without checking it.
 *
 * @throws Refusal `malformed` or `version`
 */
export const readDeletion = (statement: Pick<Statement, 'body'>): Deletion => readBody(statement, reader);

/** Author of the deleted message, and the header and list in which the deleting device acts. */
export interface DeletionContext {
  readonly author: Bytes;
  readonly header: Pick<Header, 'conversation' | 'n'> & Pick<Statement, 'body'>;
  readonly members: readonly { readonly account: Bytes; readonly role: number; readonly devices: readonly Bytes[] }[];
  /** Signing keys of the deleting account's devices, from the list that the header names. */
  readonly list: {
    readonly account: Bytes;
    readonly devices: readonly Pick<ListedDevice, 'id' | 'signKey'>[];
  };
}

/**
 * Checks a deletion: a device of the author signed it, or one of an admin or owner, in the header that it names.
 *
 * @throws Refusal `subject` for another conversation, header, or device; `rights`, `signature`, or `malformed`
 */
export async function checkDeletion(statement: Statement, context: DeletionContext): Promise<Deletion> {
  const deletion = readDeletion(statement);
  const { header, members, list, author } = context;
  const isHere =
    equalBytes(deletion.conversation, header.conversation) &&
    deletion.n === header.n &&
    equalBytes(deletion.headerHash, await hashOfHeader(header));
  const member = members.find(({ account }) => equalBytes(account, deletion.account));
  const listed = equalBytes(list.account, deletion.account)
    ? list.devices.find(({ id: listedId }) => equalBytes(listedId, deletion.device))
    : undefined;
  if (!isHere || !listed || !member?.devices.some((device) => equalBytes(device, deletion.device)))
    throw new Refusal('subject', 'a deletion of another conversation or device');
  if (member.role === 0 && !equalBytes(author, deletion.account))
    throw new Refusal('rights', 'a deletion by somebody else than the author or an admin');
  await assertSignedBy(statementType, listed.signKey, statement);
  return deletion;
}
