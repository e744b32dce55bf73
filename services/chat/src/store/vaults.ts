import { readSealed, Refusal } from '@nolo/e2ee';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { limits } from '@nolo/rules';
import type { DeviceId, StoredVaultRow, VaultStore } from '../domain/epochPorts.ts';
import { deviceIdOf } from '../domain/epochs.ts';
import { isOwnVault, pageBytes, toPage } from './epochs.ts';
import { buildOutboundFrameSql, buildRecipientsSql, outboxColumns } from './frames.ts';
import { assertInRoster } from './nacks.ts';
import { lockedVaultSql } from './locks.ts';
import { defineStatement } from './statement.ts';

/** Milliseconds for which rows of the epoch before are accepted. */
const formerEpochMs = 10_000;
/** Milliseconds before what a snapshot covers is deleted. */
const snapshotMs = 30 * 86_400_000;

interface VaultRow {
  last_row: number;
  row_count: number;
}

/** $1 vault, $2 account. */
const lockVault = defineStatement<VaultRow>('lock_vault_rows', lockedVaultSql);

/** $1 vault, $2 device, $3 client id. */
const findRow = defineStatement<{ row: number }>(
  'find_vault_row',
  'select "row" from vault_rows where conversation_id = $1 and device_id = $2 and client_message_id = $3',
);

const newestTwo = defineStatement<{ n: number; roster: Buffer; ends_rows: boolean; created_at: Date }>(
  'newest_epochs',
  `select n, roster, ends_rows, created_at from epochs where conversation_id = $1 order by n desc limit 2`,
);

/** $1 vault, $2 account, $3 device, $4 client id, $5 epoch, $6 own, $7 sealed, $8 time. */
const addRow = defineStatement<{ row: number }>(
  'add_vault_row',
  `with counted as (
    update vaults set last_row = last_row + 1, row_count = row_count + 1 where conversation_id = $1
    returning conversation_id, last_row
  ), added as (
    insert into vault_rows (conversation_id, "row", device_id, client_message_id, epoch, own, sealed, at)
    select conversation_id, last_row, $3::uuid, $4::uuid, $5, $6::bytea[], $7, $8 from counted
  ), announced as (
    insert into outbox ${outboxColumns} select ${buildOutboundFrameSql(
      '0',
      buildRecipientsSql('jsonb_build_array($2::uuid)'),
      'vault_changed',
      { conversationId: 'conversation_id', row: 'last_row' },
    )} from counted
  )
  select last_row as "row" from counted`,
);

/** $1 vault, $2 last row before, $3 rows, $4 bytes. */
const listRows = defineStatement<StoredVaultRow>(
  'list_vault_rows',
  `select "row", "clientMessageId", own, sealed, at from (
    select "row", client_message_id as "clientMessageId", own, sealed, at,
      coalesce(sum(octet_length(sealed) + 4096)
        over (order by "row" rows between unbounded preceding and 1 preceding), 0)::bigint as before
    from vault_rows where conversation_id = $1 and "row" > $2 order by "row" limit $3
  ) found where before < $4 order by "row"`,
);

/** $1 vault, $2 row. */
const findSnapshot = defineStatement<{ device_id: DeviceId; at: Date }>(
  'find_vault_snapshot',
  'select device_id, at from vault_rows where conversation_id = $1 and "row" = $2',
);

/** $1 vault, $2 first row, $3 last row. */
const deleteRows = defineStatement(
  'delete_vault_rows',
  `with gone as (
    delete from vault_rows where conversation_id = $1 and "row" between $2 and $3 returning 1
  )
  update vaults set row_count = row_count - (select count(*) from gone) where conversation_id = $1`,
);

/** @param wake called after a commit that wrote to the outbox */
export function createVaultStore(db: Knex, wake: () => void): VaultStore {
  return {
    async add(userId, vaultId, { clientMessageId, own, sealed }, device, now) {
      const read = readSealed(sealed);
      if (deviceIdOf(read.device) !== device) throw new Refusal('subject', 'a record of another device');
      const added = await inTransaction(db, async (trx) => {
        const [vault] = await lockVault(trx, vaultId, userId);
        if (!vault) return { outcome: 'missing' } as const;
        const [known] = await findRow(trx, vaultId, device, clientMessageId);
        if (known) return { outcome: 'repeated', row: known.row } as const;
        const [newest, former] = await newestTwo(trx, vaultId);
        if (!newest) return { outcome: 'missing' } as const;
        const isFormerOpen = !newest.ends_rows && now.getTime() - newest.created_at.getTime() < formerEpochMs;
        const epoch = [newest, ...(former && isFormerOpen ? [former] : [])].find(({ n }) => n === read.epoch);
        if (!epoch) return { outcome: 'stale', n: newest.n } as const;
        assertInRoster(epoch.roster, device);
        if (vault.row_count >= limits.rowsPerVault) return { outcome: 'full' } as const;
        const hashes = own.map((hash) => Buffer.from(hash));
        const values = [device, clientMessageId, epoch.n, hashes, Buffer.from(sealed), now];
        const [stored] = await addRow(trx, vaultId, userId, ...values);
        return stored ? ({ outcome: 'stored', row: stored.row } as const) : ({ outcome: 'missing' } as const);
      });
      if (added.outcome === 'stored') wake();
      return added;
    },

    async list(userId, vaultId, after) {
      if (!(await isOwnVault(db, userId, vaultId))) return undefined;
      const found = await listRows(db, vaultId, after, limits.vaultRowsPerPage + 1, pageBytes);
      // A page that ends by its bytes is shorter, and the next one is empty if nothing follows.
      const bytes = found.reduce((total, { sealed }) => total + sealed.length + 4_096, 0);
      return toPage(found, limits.vaultRowsPerPage, bytes >= pageBytes);
    },

    delete: (userId, vaultId, { from, to, snapshot }, device, now) =>
      inTransaction(db, async (trx) => {
        const [vault] = await lockVault(trx, vaultId, userId);
        if (!vault) return 'missing';
        const [found] = await findSnapshot(trx, vaultId, snapshot);
        // Rows before a snapshot are older than it.
        const isOld = found && now.getTime() - found.at.getTime() >= snapshotMs;
        if (!isOld || found.device_id !== device || to >= snapshot || from > to) return 'refused';
        await deleteRows(trx, vaultId, from, to);
        return 'deleted';
      }),
  };
}
