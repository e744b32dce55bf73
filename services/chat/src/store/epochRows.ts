import {
  equalBytes,
  hashOfHeader,
  readHeader,
  readList,
  readRoster,
  toPastHeader,
  toHex,
  toUuid,
  type Bytes,
  type Change,
  type CheckedEpoch,
  type CheckedList,
  type Header,
} from '@nolo/e2ee';
import type { Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { CommitOutcome, EpochState, EpochUpload } from '../domain/epochPorts.ts';
import { deviceIdOf, endsRows } from '../domain/epochs.ts';
import { buildOutboundFrameSql, buildRecipientsSql, outboxColumns } from './frames.ts';
import { defineStatement } from './statement.ts';

/* Rows of epochs, for use in transactions that have locked the vault or the conversation. */

/** Copies bytes of the database into a buffer of their own, which WebCrypto requires. */
export const toBytes = (bytes: Uint8Array): Bytes => Uint8Array.from(bytes);

interface EpochRow {
  n: number;
  hash: Buffer;
  body: Buffer;
  signature: Buffer;
  roster: Buffer;
}

const findHash = defineStatement<{ hash: Buffer }>(
  'epoch_hash',
  'select hash from epochs where conversation_id = $1 and n = $2',
);

export const findNewest = defineStatement<EpochRow>(
  'newest_epoch',
  `select n, hash, body, signature, roster from epochs where conversation_id = $1 order by n desc limit 1`,
);

const findHeaders = defineStatement<Pick<EpochRow, 'hash' | 'body'>>(
  'epoch_headers',
  'select hash, body from epochs where conversation_id = $1 order by n',
);

/** $1 accounts, $2 hashes, in pairs. */
export const findLists = defineStatement<{ hash: Buffer; identity: Buffer; body: Buffer }>(
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
    ends_rows, created_at, seq, change_seq, timer)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);

/** $1 conversation, $2 number, $3 devices, $4 boxes, in pairs. */
const addBoxes = defineStatement(
  'add_epoch_boxes',
  `insert into epoch_boxes (conversation_id, n, device_id, purpose, box)
  select $1, $2, t.device_id, 'box', t.box from unnest($3::uuid[], $4::bytea[]) as t(device_id, box)`,
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

export const toCheckedList = ({
  hash,
  identity,
  body,
}: {
  hash: Buffer;
  identity: Buffer;
  body: Buffer;
}): CheckedList => ({
  list: readList({ body: toBytes(body) }),
  hash: toBytes(hash),
  identity: toBytes(identity),
});

/** Loads the newest epoch, which was checked when it was stored, with the lists that its roster names. */
async function loadState(
  trx: Knex,
  conversationId: ConversationId,
  row: EpochRow,
  next: readonly Pick<Change, 'evidence'>[],
): Promise<EpochState & { before: CheckedEpoch }> {
  const header = readHeader({ body: toBytes(row.body) });
  const roster = readRoster(row.roster);
  const named = roster.flatMap(({ account, list }) => (list ? [{ account, hash: list.hash }] : []));
  const rows = await findLists(
    trx,
    named.map(({ account }) => toUuid(account)),
    named.map(({ hash }) => Buffer.from(hash)),
  );
  const lists = rows.map(toCheckedList);
  // The lists of a deleted account are gone, and so are its devices.
  const known = new Set(lists.map(({ hash }) => toHex(hash)));
  const members = roster.map((member) =>
    member.list && !known.has(toHex(member.list.hash)) ? { ...member, devices: [] } : member,
  );
  // Only evidence looks back further than one header.
  const past = next.some(({ evidence }) => evidence) ? await findHeaders(trx, conversationId) : [row];
  const history = past.map(({ hash, body }) => toPastHeader(toBytes(hash), readHeader({ body: toBytes(body) })));
  return { before: { header, hash: toBytes(row.hash), members, history }, lists };
}

/** Returns the newest epoch, and what evidence of these changes is checked against. Undefined without an epoch. */
export async function findNewestState(
  trx: Knex,
  conversationId: ConversationId,
  next: readonly Pick<Change, 'evidence'>[],
): Promise<(EpochState & { before: CheckedEpoch }) | undefined> {
  const [newest] = await findNewest(trx, conversationId);
  return newest && loadState(trx, conversationId, newest, next);
}

/**
 * Finds what a header follows. Returns an outcome instead if the header was accepted before, or follows another one.
 */
export async function findBefore(
  trx: Knex,
  conversationId: ConversationId,
  { statement }: EpochUpload,
  header: Header,
): Promise<EpochState | CommitOutcome> {
  const hash = await hashOfHeader(statement);
  const [same] = await findHash(trx, conversationId, header.n);
  if (same && equalBytes(same.hash, hash)) return { outcome: 'repeated', n: header.n, hash };
  const [newest] = await findNewest(trx, conversationId);
  const follows = newest
    ? header.n === newest.n + 1 && header.previous !== null && equalBytes(header.previous, newest.hash)
    : header.n === 0;
  if (!follows) return { outcome: 'stale', n: newest?.n ?? -1 };
  return newest ? loadState(trx, conversationId, newest, header.changes) : { before: undefined, lists: [] };
}

/** Place of an epoch in a conversation. */
export interface EpochPlace {
  readonly seq: number;
  readonly changeSeq: number;
}

/** Stores an epoch that was checked, with its boxes. */
export async function storeEpoch(
  trx: Knex,
  conversationId: ConversationId,
  { statement, roster, boxes, previousSecret }: EpochUpload,
  {
    before,
    after,
    place,
    now,
  }: {
    before: CheckedEpoch | undefined;
    after: CheckedEpoch;
    place?: EpochPlace;
    now: Date;
  },
): Promise<void> {
  const { n, account, device, timer } = after.header;
  await addEpoch(
    trx,
    conversationId,
    n,
    Buffer.from(after.hash),
    Buffer.from(statement.body),
    Buffer.from(statement.signature),
    Buffer.from(roster),
    toUuid(account),
    deviceIdOf(device),
    previousSecret ? Buffer.from(previousSecret) : null,
    endsRows(before, after),
    now,
    place?.seq ?? null,
    place?.changeSeq ?? null,
    timer,
  );
  await addBoxes(
    trx,
    conversationId,
    n,
    boxes.map(({ deviceId }) => deviceId),
    boxes.map(({ box }) => Buffer.from(box)),
  );
}

export async function storeList(
  trx: Knex,
  userId: UserId,
  { hash, identity }: CheckedList,
  body: Bytes,
): Promise<void> {
  await addList(trx, userId, Buffer.from(hash), Buffer.from(identity), Buffer.from(body));
}
