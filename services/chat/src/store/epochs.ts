import {
  equalBytes,
  fromUuid,
  hashOfHeader,
  readHeader,
  readList,
  readRoster,
  toPastHeader,
  toUuid,
  vaultIdOf,
  type Bytes,
  type CheckedEpoch,
  type CheckedList,
  type Header,
} from '@nolo/e2ee';
import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import type {
  CommitOutcome,
  EpochState,
  EpochStore,
  EpochUpload,
  ExportedEpoch,
  ListState,
  Page,
  StoredEpoch,
} from '../domain/epochPorts.ts';
import { checkVaultEpoch, deviceIdOf, endsRows, readCommit, recoveryKeyId } from '../domain/epochs.ts';
import { buildOutboundFrameSql, buildRecipientsSql, outboxColumns } from './frames.ts';
import { lockedVaultSql } from './locks.ts';
import { defineStatement } from './statement.ts';

/** Copies bytes of the database into a buffer of their own, which WebCrypto requires. */
export const toBytes = (bytes: Uint8Array): Bytes => Uint8Array.from(bytes);

interface EpochRow {
  n: number;
  hash: Buffer;
  body: Buffer;
  signature: Buffer;
  roster: Buffer;
}

const createVault = defineStatement(
  'create_vault',
  `insert into vaults (conversation_id, user_id, identity, created_at) values ($1, $2, $3, $4)
  on conflict do nothing`,
);

/** $1 conversation, $2 account. */
const lockVault = defineStatement<{ identity: Buffer }>('lock_vault', lockedVaultSql);

const findHash = defineStatement<{ hash: Buffer }>(
  'epoch_hash',
  'select hash from epochs where conversation_id = $1 and n = $2',
);

const findNewest = defineStatement<EpochRow>(
  'newest_epoch',
  `select n, hash, body, signature, roster from epochs where conversation_id = $1 order by n desc limit 1`,
);

const findHeaders = defineStatement<Pick<EpochRow, 'hash' | 'body'>>(
  'epoch_headers',
  'select hash, body from epochs where conversation_id = $1 order by n',
);

/** $1 accounts, $2 hashes, in pairs. */
const findLists = defineStatement<{ hash: Buffer; identity: Buffer; body: Buffer }>(
  'epoch_lists',
  `select l.hash, l.identity, l.body from unnest($1::uuid[], $2::bytea[]) as t(user_id, hash)
  join epoch_lists l on l.user_id = t.user_id and l.hash = t.hash`,
);

const addList = defineStatement(
  'add_epoch_list',
  'insert into epoch_lists (user_id, hash, identity, body) values ($1, $2, $3, $4) on conflict do nothing',
);

const addEpoch = defineStatement(
  'add_epoch',
  `insert into epochs (conversation_id, n, hash, body, signature, roster, user_id, device_id, previous_secret,
    ends_rows, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

/** $1 conversation, $2 number, $3 devices, $4 boxes, in pairs. */
const addBoxes = defineStatement(
  'add_epoch_boxes',
  `insert into epoch_boxes (conversation_id, n, device_id, purpose, box)
  select $1, $2, t.device_id, 'box', t.box from unnest($3::uuid[], $4::bytea[]) as t(device_id, box)`,
);

/** Boxes are kept for as long as their device is listed. $1 conversation, $2 devices of the list. */
const dropBoxes = defineStatement(
  'drop_epoch_boxes',
  `with nacks as (
    delete from epoch_nacks where conversation_id = $1 and device_id <> all($2::uuid[])
  )
  delete from epoch_boxes where conversation_id = $1 and device_id <> all($2::uuid[])`,
);

/** $1 account, $2 conversation, $3 number. */
export const announceEpoch = defineStatement(
  'announce_epoch',
  `insert into outbox ${outboxColumns} select ${buildOutboundFrameSql(
    '0',
    buildRecipientsSql('jsonb_build_array($1::uuid)'),
    'epochs_changed',
    { conversationId: '$2::uuid', n: '$3::int' },
  )}`,
);

/** $1 conversation, $2 account. */
const findVault = defineStatement<{ identity: Buffer }>(
  'find_vault',
  'select identity from vaults where conversation_id = $1 and user_id = $2',
);

export const isOwnVault = async (db: Knex, userId: UserId, conversationId: ConversationId): Promise<boolean> =>
  (await findVault(db, conversationId, userId)).length > 0;

/** $1 conversation, $2 first number, $3 device or null, $4 rows, $5 bytes. */
const listEpochs = defineStatement<StoredEpoch>(
  'list_epochs',
  `select n, hash, body, signature, roster, box, answer, "recoveryBox", "previousSecret" from (
    select e.n, e.hash, e.body, e.signature, e.roster, own.box, answer.box as answer, recovery.box as "recoveryBox",
      e.previous_secret as "previousSecret",
      coalesce(sum(octet_length(e.body) + octet_length(e.roster) + 8192)
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

/** Bytes of a page, well below the maximum size of an internal message. */
export const pageBytes = 2_000_000;

/** Cuts what a page has too much, and says whether there is more. */
export const toPage = <Item>(found: readonly Item[], limit: number, isCut: boolean): Page<Item> => ({
  items: found.slice(0, limit),
  more: isCut || found.length > limit,
});

const toCheckedList = ({ hash, identity, body }: { hash: Buffer; identity: Buffer; body: Buffer }): CheckedList => ({
  list: readList({ body: toBytes(body) }),
  hash: toBytes(hash),
  identity: toBytes(identity),
});

/** Loads the newest epoch, which was checked when it was stored, with the lists that its roster names. */
async function loadState(trx: Knex, conversationId: ConversationId, row: EpochRow, next: Header): Promise<EpochState> {
  const header = readHeader({ body: toBytes(row.body) });
  const members = readRoster(row.roster);
  const named = members.flatMap(({ account, list }) => (list ? [{ account, hash: list.hash }] : []));
  const lists = await findLists(
    trx,
    named.map(({ account }) => toUuid(account)),
    named.map(({ hash }) => Buffer.from(hash)),
  );
  // Only evidence looks back further than one header.
  const past = next.changes.some(({ evidence }) => evidence) ? await findHeaders(trx, conversationId) : [row];
  const history = past.map(({ hash, body }) => toPastHeader(toBytes(hash), readHeader({ body: toBytes(body) })));
  const before: CheckedEpoch = { header, hash: toBytes(row.hash), members, history };
  return { before, lists: lists.map(toCheckedList) };
}

async function store(
  trx: Knex,
  userId: UserId,
  conversationId: ConversationId,
  { statement, roster, boxes, previousSecret }: EpochUpload,
  { before, after, keys, now }: { before: CheckedEpoch | undefined; after: CheckedEpoch; keys: ListState; now: Date },
): Promise<void> {
  const { n, device } = after.header;
  await addEpoch(
    trx,
    conversationId,
    n,
    Buffer.from(after.hash),
    Buffer.from(statement.body),
    Buffer.from(statement.signature),
    Buffer.from(roster),
    userId,
    deviceIdOf(device),
    previousSecret ? Buffer.from(previousSecret) : null,
    endsRows(before, after),
    now,
  );
  await addBoxes(
    trx,
    conversationId,
    n,
    boxes.map(({ deviceId }) => deviceId),
    boxes.map(({ box }) => Buffer.from(box)),
  );
  const { devices } = keys.newest.list;
  await dropBoxes(trx, conversationId, [recoveryKeyId, ...devices.map(({ id }) => deviceIdOf(id))]);
  await announceEpoch(trx, userId, conversationId, n);
  // A lost epoch may name an older list than the newest one.
  const { list, body } = keys.named ?? { list: keys.newest, body: keys.body };
  await addList(trx, userId, Buffer.from(list.hash), Buffer.from(list.identity), Buffer.from(body));
}

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
        const hash = await hashOfHeader(upload.statement);
        const [same] = await findHash(trx, conversationId, header.n);
        if (same && equalBytes(same.hash, hash)) return { outcome: 'repeated', n: header.n, hash };
        const [newest] = await findNewest(trx, conversationId);
        const follows = newest
          ? header.n === newest.n + 1 && header.previous !== null && equalBytes(header.previous, newest.hash)
          : header.n === 0;
        if (!follows) return { outcome: 'stale', n: newest?.n ?? -1 };
        const state = newest ? await loadState(trx, conversationId, newest, header) : { before: undefined, lists: [] };
        const after = await checkVaultEpoch(state, upload, header, keys, now);
        await store(trx, userId, conversationId, upload, { before: state.before, after, keys, now });
        return { outcome: 'accepted', n: header.n, hash };
      });
      if (outcome.outcome === 'accepted') wake();
      return outcome;
    },

    async list(userId, conversationId, device, from) {
      if (!(await isOwnVault(db, userId, conversationId))) return undefined;
      const rows = await listEpochs(db, conversationId, from, device ?? null, limits.epochsPerPage + 1, pageBytes);
      const [newest] = await findNewest(db, conversationId);
      const last = rows.at(-1);
      return toPage(rows, limits.epochsPerPage, last !== undefined && newest !== undefined && last.n < newest.n);
    },

    vaultsOf: async (userId) => (await listVaults(db, userId)).map(({ id }) => id),

    exportFrom: (conversationId, from) => exportEpochs(db, conversationId, from),

    async forget(userId) {
      await forgetVaults(db, userId);
    },
  };
}
