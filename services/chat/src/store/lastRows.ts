import {
  decodeCanonical,
  hashOfDeletion,
  readDeletion,
  readOrigin,
  toHex,
  type LastRow,
  type Statement,
} from '@nolo/e2ee';
import type { Knex } from '@nolo/kit/db';
import type { ConversationId } from '@nolo/kit/ids';
import { EpochRefusal, deviceIdOf } from '../domain/epochs.ts';
import type { DeviceId } from '../domain/epochPorts.ts';
import { toBytes } from './epochRows.ts';
import { defineStatement } from './statement.ts';

/** Deletions without a stored hash that are read at once. */
const deletionsAtOnce = 1_000;

/** $1 conversation, $2 row hashes. */
const findRows = defineStatement<{ hash: Buffer; origin: Buffer | null }>(
  'find_last_rows',
  `select row_hash as hash, origin from messages where conversation_id = $1 and row_hash = any($2::bytea[])`,
);

/** $1 conversation, $2 hashes. */
const findDeletions = defineStatement<{ hash: Buffer; deletion: Buffer }>(
  'find_last_deletions',
  `select deletion_hash as hash, deletion from messages
  where conversation_id = $1 and deletion is not null and deletion_hash = any($2::bytea[])`,
);

/** Finds deletions that a release stored which kept no hash of them. $1 conversation, $2 before, $3 limit. */
const findUnhashedDeletions = defineStatement<{ seq: number; deletion: Buffer }>(
  'find_unhashed_deletions',
  `select seq, deletion from messages
  where conversation_id = $1 and deletion is not null and deletion_hash is null and seq < $2::bigint
  order by seq desc limit $3`,
);

const statementOf = (stored: Buffer): Statement => {
  const [body, signature] = decodeCanonical(toBytes(stored), (value) => value as [Uint8Array, Uint8Array]);
  return { body: toBytes(body), signature: toBytes(signature) };
};

const deleterOf = (deletion: Buffer): DeviceId => deviceIdOf(readDeletion(statementOf(deletion)).device);

/**
 * Returns whether the named last rows are messages or deletions of the conversation, each of its device: for a message
 * the device of its first version, because another device of the author may have edited it. That they are the newest
 * ones, clients check.
 */
export async function hasLastRows(
  trx: Knex,
  conversationId: ConversationId,
  lastRows: readonly LastRow[],
): Promise<boolean> {
  const missing = new Map(lastRows.flatMap(({ device, row }) => (row ? [[toHex(row), deviceIdOf(device)]] : [])));
  const drop = (hash: string, deviceId: DeviceId) => {
    if (missing.get(hash) === deviceId) missing.delete(hash);
  };
  const hashes = () => [...missing.keys()].map((hash) => Buffer.from(hash, 'hex'));
  if (missing.size > 0)
    for (const { hash, origin } of await findRows(trx, conversationId, hashes()))
      if (origin) drop(toHex(hash), deviceIdOf(readOrigin(toBytes(origin)).device));
  if (missing.size > 0)
    for (const { hash, deletion } of await findDeletions(trx, conversationId, hashes()))
      drop(toHex(hash), deleterOf(deletion));
  let before = Number.MAX_SAFE_INTEGER;
  while (missing.size > 0) {
    const page = await findUnhashedDeletions(trx, conversationId, before, deletionsAtOnce);
    for (const { deletion } of page) drop(toHex(await hashOfDeletion(statementOf(deletion))), deleterOf(deletion));
    const last = page.at(-1);
    if (!last || page.length < deletionsAtOnce) break;
    before = last.seq;
  }
  return missing.size === 0;
}

/** @throws EpochRefusal `last_rows` if a named last row is not there, or of another device */
export async function assertLastRows(...named: Parameters<typeof hasLastRows>): Promise<void> {
  if (!(await hasLastRows(...named))) throw new EpochRefusal('last_rows');
}
