import type { Knex } from '@nolo/kit/db';
import { newId, type SessionId, type UserId } from '@nolo/kit/ids';
import type { DeviceId, DeviceListUpload, PendingList } from '../domain/keyPorts.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { toBytes, toStatement } from './deviceRows.ts';

/* Lists that wait until their epoch of the vault is accepted, for use in transactions. */

export interface PendingRow {
  user_id: UserId;
  id: string;
  session_id: SessionId;
  own_device: DeviceId | null;
  replaces: boolean;
  body: Buffer;
  signature: Buffer;
  hash: Buffer;
  identity: Buffer;
  box_key_bodies: Buffer[];
  box_key_signatures: Buffer[];
  vault: Buffer;
  committer: DeviceId;
  suspended: DeviceId[];
  keyless: DeviceId[];
  lost: boolean;
  received_at: Date;
}

export const toPending = (row: PendingRow): PendingList => ({
  id: row.id,
  userId: row.user_id,
  list: toBytes(row.body),
  hash: toBytes(row.hash),
  identity: toBytes(row.identity),
  vault: toBytes(row.vault),
  committer: row.committer,
  suspended: row.suspended,
  keyless: row.keyless,
  lost: row.lost,
  receivedAt: row.received_at,
});

export const toRequester = ({ user_id: userId, session_id: sessionId }: PendingRow): RequestingSession => ({
  userId,
  sessionId,
});

export const toUpload = (row: PendingRow): DeviceListUpload => ({
  list: toStatement(row),
  boxKeys: row.box_key_bodies.map((body, at) =>
    toStatement({ body, signature: row.box_key_signatures[at] ?? Buffer.alloc(0) }),
  ),
  vault: toBytes(row.vault),
  lost: row.lost,
});

export const findPending = (trx: Knex, userId: UserId): Promise<PendingRow | undefined> =>
  trx('pending_lists').where({ user_id: userId }).first();

type Facts = Pick<
  PendingRow,
  'own_device' | 'replaces' | 'hash' | 'identity' | 'committer' | 'suspended' | 'keyless' | 'received_at'
>;

/** Stores a list with what decides about its epoch. Runs under the lock of the account. */
export async function insertPending(
  trx: Knex,
  { userId, sessionId }: RequestingSession,
  { list, boxKeys, vault, lost }: DeviceListUpload & { vault: Uint8Array },
  facts: Facts,
): Promise<PendingRow> {
  const row: PendingRow = {
    ...facts,
    user_id: userId,
    id: newId(),
    session_id: sessionId,
    body: Buffer.from(list.body),
    signature: Buffer.from(list.signature),
    box_key_bodies: boxKeys.map(({ body }) => Buffer.from(body)),
    box_key_signatures: boxKeys.map(({ signature }) => Buffer.from(signature)),
    vault: Buffer.from(vault),
    lost,
  };
  await trx('pending_lists').insert(row);
  return row;
}
