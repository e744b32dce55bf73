import { fromUuid, toUuid, vaultIdOf } from '@nolo/e2ee';
import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import type { CommitOutcome, EpochStore, ExportedEpoch, ListState, Page, StoredEpoch } from '../domain/epochPorts.ts';
import { checkVaultEpoch, deviceIdOf, readCommit, recoveryKeyId } from '../domain/epochs.ts';
import { announceEpoch, findBefore, findNewest, storeEpoch, storeList } from './epochRows.ts';
import { forgetEpochParts } from './epochParts.ts';
import { lockedVaultSql } from './locks.ts';
import { defineStatement } from './statement.ts';

const createVault = defineStatement(
  'create_vault',
  `insert into vaults (conversation_id, user_id, identity, created_at) values ($1, $2, $3, $4)
  on conflict do nothing`,
);

/** $1 conversation, $2 account. */
const lockVault = defineStatement<{ identity: Buffer }>('lock_vault', lockedVaultSql);

/** Boxes are kept for as long as their device is listed. $1 conversation, $2 devices of the list. */
const dropBoxes = defineStatement(
  'drop_epoch_boxes',
  `with nacks as (
    delete from epoch_nacks where conversation_id = $1 and device_id <> all($2::uuid[])
  )
  delete from epoch_boxes where conversation_id = $1 and device_id <> all($2::uuid[])`,
);

/** $1 conversation, $2 account. */
const findVault = defineStatement<{ identity: Buffer }>(
  'find_vault',
  'select identity from vaults where conversation_id = $1 and user_id = $2',
);

export const isOwnVault = async (db: Knex, userId: UserId, conversationId: ConversationId): Promise<boolean> =>
  (await findVault(db, conversationId, userId)).length > 0;

/** $1 conversation, $2 account. */
const findMembership = defineStatement<{ id: ConversationId }>(
  'epoch_member',
  'select conversation_id as id from members where conversation_id = $1 and user_id = $2 and left_at is null',
);

/** Returns the part that an account has in a conversation with epochs. */
export async function findPart(
  db: Knex,
  userId: UserId,
  conversationId: ConversationId,
): Promise<'vault' | 'member' | undefined> {
  if (await isOwnVault(db, userId, conversationId)) return 'vault';
  return (await findMembership(db, conversationId, userId)).length > 0 ? 'member' : undefined;
}

/**
 * $1 conversation, $2 first number, $3 device or null, $4 rows, $5 bytes, $6 last number whose members are returned.
 */
const listEpochs = defineStatement<StoredEpoch>(
  'list_epochs',
  `select n, hash, body, signature, roster, box, answer, "recoveryBox", "previousSecret", seq, "changeSeq", at from (
    select e.n, e.hash, e.body, e.signature, case when e.n <= $6::int then e.roster end as roster, own.box,
      answer.box as answer, recovery.box as "recoveryBox", e.previous_secret as "previousSecret", e.seq,
      e.change_seq as "changeSeq", e.created_at as at,
      coalesce(sum(octet_length(e.body) + case when e.n <= $6::int then octet_length(e.roster) else 0 end + 8192)
        over (order by e.n rows between unbounded preceding and 1 preceding), 0)::bigint as before
    from epochs e
    left join epoch_boxes own on own.conversation_id = e.conversation_id and own.n = e.n
      and own.device_id = $3::uuid and own.purpose = 'box'
    left join epoch_boxes answer on answer.conversation_id = e.conversation_id and answer.n = e.n
      and answer.device_id = $3::uuid and answer.purpose = 'answer'
    left join epoch_boxes recovery on recovery.conversation_id = e.conversation_id and recovery.n = e.n
      and recovery.device_id = '${recoveryKeyId}' and recovery.purpose = 'box'
    where e.conversation_id = $1 and e.n >= $2 order by e.n limit $4
  ) found where before < $5 order by n`,
);

const listVaults = defineStatement<{ id: ConversationId }>(
  'list_vaults',
  'select conversation_id as id from vaults where user_id = $1 order by created_at, conversation_id',
);

/** Epochs of one statement of an export: few, because each has a box for each device. */
const epochsAtOnce = 20;

/** $1 conversation, $2 first number. */
const exportEpochs = defineStatement<ExportedEpoch>(
  'export_epochs',
  `select e.n, e.body, e.signature, e.roster, e.previous_secret as "previousSecret",
    array(select b.device_id::text from epoch_boxes b where b.conversation_id = e.conversation_id and b.n = e.n
      order by b.device_id, b.purpose) as "deviceIds",
    array(select b.box from epoch_boxes b where b.conversation_id = e.conversation_id and b.n = e.n
      order by b.device_id, b.purpose) as boxes
  from epochs e where e.conversation_id = $1 and e.n >= $2 order by e.n limit ${epochsAtOnce}`,
);

const forgetVaults = defineStatement(
  'forget_vaults',
  `with gone as (delete from vaults where user_id = $1 returning conversation_id), epochs_gone as (
    delete from epochs e using gone where e.conversation_id = gone.conversation_id
  )
  delete from epoch_lists where user_id = $1`,
);

const maxNumber = 2_147_483_647;

/** Bytes of a page, well below the maximum size of an internal message. */
export const pageBytes = 2_000_000;

/** Cuts what a page has too much, and says whether there is more. */
export const toPage = <Item>(found: readonly Item[], limit: number, isCut: boolean): Page<Item> => ({
  items: found.slice(0, limit),
  more: isCut || found.length > limit,
});

/** Returns whether the id is that of the vault of the account's present identity. */
async function isOwnIdentity(userId: UserId, conversationId: ConversationId, { newest }: ListState): Promise<boolean> {
  return toUuid(await vaultIdOf(fromUuid(userId), newest.identity)) === conversationId;
}

/** @param wake called after a commit that wrote to the outbox */
export function createEpochStore(db: Knex, wake: () => void): EpochStore {
  return {
    async commit(userId, conversationId, upload, keys, now) {
      const header = readCommit(upload, fromUuid(conversationId), fromUuid(userId));
      const isCurrent = await isOwnIdentity(userId, conversationId, keys);
      const outcome = await inTransaction(db, async (trx): Promise<CommitOutcome> => {
        if (isCurrent && header.n === 0)
          await createVault(trx, conversationId, userId, Buffer.from(keys.newest.identity), now);
        const [vault] = await lockVault(trx, conversationId, userId);
        if (!vault) return isCurrent ? { outcome: 'stale', n: -1 } : { outcome: 'missing' };
        const before = await findBefore(trx, conversationId, upload, header);
        if ('outcome' in before) return before;
        const after = await checkVaultEpoch(before, upload, header, keys, now);
        await storeEpoch(trx, conversationId, upload, { before: before.before, after, now });
        const { devices } = keys.newest.list;
        await dropBoxes(trx, conversationId, [recoveryKeyId, ...devices.map(({ id }) => deviceIdOf(id))]);
        await announceEpoch(trx, userId, conversationId, header.n);
        // A lost epoch may name an older list than the newest one.
        const { list, body } = keys.named ?? { list: keys.newest, body: keys.body };
        await storeList(trx, userId, list, body);
        return { outcome: 'accepted', n: header.n, hash: after.hash };
      });
      if (outcome.outcome === 'accepted') wake();
      return outcome;
    },

    async list(userId, conversationId, device, { from, withRoster }) {
      const part = await findPart(db, userId, conversationId);
      if (!part) return undefined;
      const rosters = part === 'vault' ? maxNumber : withRoster ? from : -1;
      const limit = limits.epochsPerPage;
      const rows = await listEpochs(db, conversationId, from, device ?? null, limit + 1, pageBytes, rosters);
      const [newest] = await findNewest(db, conversationId);
      const last = rows.at(-1);
      return toPage(rows, limit, last !== undefined && newest !== undefined && last.n < newest.n);
    },

    vaultsOf: async (userId) => (await listVaults(db, userId)).map(({ id }) => id),

    exportFrom: (conversationId, from) => exportEpochs(db, conversationId, from),

    async forget(userId) {
      await forgetEpochParts(db, userId);
      await forgetVaults(db, userId);
    },
  };
}
