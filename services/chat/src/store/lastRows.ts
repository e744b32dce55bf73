import { decodeCanonical, hashOfDeletion, readDeletion, toHex, type LastRow, type Statement } from '@nolo/e2ee';
import type { Knex } from '@nolo/kit/db';
import type { ConversationId } from '@nolo/kit/ids';
import { EpochRefusal, deviceIdOf } from '../domain/epochs.ts';
import type { DeviceId } from '../domain/epochPorts.ts';
import { toBytes } from './epochRows.ts';
import { defineStatement } from './statement.ts';

/** Newest deletions among which a last row is looked for. */
const maxDeletions = 1_000;

/** $1 conversation, $2 row hashes. */
const findRows = defineStatement<{ hash: Buffer; deviceId: DeviceId }>(
  'find_last_rows',
  `select row_hash as hash, device_id as "deviceId" from messages
  where conversation_id = $1 and row_hash = any($2::bytea[])`,
);

/** $1 conversation. */
const findDeletions = defineStatement<{ deletion: Buffer }>(
  'find_last_deletions',
  `select deletion from messages where conversation_id = $1 and deletion is not null
  order by change_seq desc limit ${maxDeletions}`,
);

const statementOf = (stored: Buffer): Statement => {
  const [body, signature] = decodeCanonical(toBytes(stored), (value) => value as [Uint8Array, Uint8Array]);
  return { body: toBytes(body), signature: toBytes(signature) };
};

/**
 * Checks that the named last rows are messages or deletions of the conversation, each of its device. That they are the
 * newest ones, clients check.
 *
 * @throws EpochRefusal `last_rows`
 */
export async function assertLastRows(
  trx: Knex,
  conversationId: ConversationId,
  lastRows: readonly LastRow[],
): Promise<void> {
  const missing = new Map(lastRows.flatMap(({ device, row }) => (row ? [[toHex(row), deviceIdOf(device)]] : [])));
  if (missing.size === 0) return;
  const drop = (hash: string, deviceId: DeviceId) => {
    if (missing.get(hash) === deviceId) missing.delete(hash);
  };
  const hashes = [...missing.keys()].map((hash) => Buffer.from(hash, 'hex'));
  for (const { hash, deviceId } of await findRows(trx, conversationId, hashes)) drop(toHex(hash), deviceId);
  if (missing.size === 0) return;
  for (const { deletion } of await findDeletions(trx, conversationId)) {
    const statement = statementOf(deletion);
    drop(toHex(await hashOfDeletion(statement)), deviceIdOf(readDeletion(statement).device));
  }
  if (missing.size > 0) throw new EpochRefusal('last_rows');
}
