import {
  devicesOf,
  findMember,
  fromUuid,
  readRoster,
  toHex,
  toUuid,
  type CheckedEpoch,
  type ListReference,
} from '@nolo/e2ee';
import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { ConversationType, MemberRole } from '@nolo/rules';
import { checkConversationEpoch, isOvertaken, lastRowsOf } from '../domain/conversationEpochs.ts';
import type {
  AccountStates,
  ChangeEpoch,
  CommitOutcome,
  ConversationEpochStore,
  DeviceId,
  EpochTarget,
  KnownList,
  PreparedEpoch,
} from '../domain/epochPorts.ts';
import { deviceIdOf, EpochRefusal } from '../domain/epochs.ts';
import {
  conversationNotFound,
  conversationReplaced,
  epochStale,
  messageBlocked,
  messageRequestRefused,
} from '../errors.ts';
import { exportOwnEpochs, findEpochParts } from './epochParts.ts';
import { findBefore, findLists, findNewest, storeEpoch, storeList, toBytes, toCheckedList } from './epochRows.ts';
import { buildMemberAudienceSql, buildOutboundFrameSql, outboxColumns } from './frames.ts';
import { enqueueConversationUpdated, leaveGroupStatement, setRoles } from './groupStatements.ts';
import { assertLastRows } from './lastRows.ts';
import { lockConversation } from './locks.ts';
import { findNamedAccounts } from './namedAccounts.ts';
import { dropCommitted, findLeaves, listAdditions } from './signedChanges.ts';
import { defineStatement } from './statement.ts';
import { findSystemMessageRefusal } from './systemMessages.ts';

interface TargetRow {
  type: ConversationType;
  is_public: boolean;
  disappearing_seconds: number | null;
  epoch: number | null;
  removal_pending: boolean;
  removals: number;
  is_replaced: boolean;
}

const findTarget = defineStatement<TargetRow>(
  'epoch_target',
  `select type, is_public, disappearing_seconds, epoch, removal_pending, removals,
    replaced_at is not null as is_replaced from conversations where id = $1`,
);

const listOwnMembers = defineStatement<{ userId: UserId; role: MemberRole }>(
  'epoch_members',
  `select user_id as "userId", role from members where conversation_id = $1 and left_at is null order by user_id`,
);

/** $1 conversation that has no epoch. */
const findPlainMessage = defineStatement(
  'plain_message_before_epochs',
  `select 1 from messages where conversation_id = $1 and message_type <> 'system' limit 1`,
);

/** $1 conversation, $2 devices without access, $3 devices that no list names now. */
const dropGone = defineStatement(
  'drop_gone_epoch_boxes',
  `with nacks as (
    delete from epoch_nacks where conversation_id = $1 and device_id = any($2::uuid[])
  )
  delete from epoch_boxes where conversation_id = $1 and device_id = any($3::uuid[])`,
);

/** $1 conversation, $2 number, $3 time, $4 true while a removal is not in this epoch. */
const beginEpoch = defineStatement<{ seq: number; changeSeq: number }>(
  'begin_epoch',
  `update conversations set epoch = $2, sealed_from_seq = coalesce(sealed_from_seq, last_seq + 1),
    removal_pending = $4::boolean, last_change_seq = last_change_seq + 1, meta_change_seq = last_change_seq + 1,
    updated_at = greatest(updated_at, $3::timestamptz)
  where id = $1 returning last_seq as seq, last_change_seq as "changeSeq"`,
);

/** $1 conversation, $2 number. */
const announceToMembers = defineStatement(
  'announce_conversation_epoch',
  `insert into outbox ${outboxColumns} select ${buildOutboundFrameSql(
    '0',
    buildMemberAudienceSql('$1::uuid'),
    'epochs_changed',
    { conversationId: '$1::uuid', n: '$2::int' },
  )}`,
);

/** $1 conversation, $2 admission, $3 timer in seconds; null leaves it as it is. */
const takeBackSettings = defineStatement(
  'take_back_settings',
  `update conversations set is_public = coalesce($2::int = 1, is_public),
    disappearing_seconds = case when $3::int is null then disappearing_seconds else nullif($3::int, 0) end
  where id = $1 and ($2::int is not null or $3::int is not null)`,
);

/** $1 conversation. */
const markRemoval = defineStatement(
  'mark_removal',
  'update conversations set removal_pending = true, removals = removals + 1 where id = $1',
);

/** $1 account, $2 after, $3 limit. */
const listSealed = defineStatement<{ id: ConversationId; roster: Buffer }>(
  'sealed_conversations',
  `select c.id, e.roster from members m join conversations c on c.id = m.conversation_id
  join epochs e on e.conversation_id = c.id and e.n = c.epoch
  where m.user_id = $1 and m.left_at is null and c.epoch is not null
  and ($2::uuid is null or c.id > $2::uuid) order by c.id limit $3`,
);

const conversationsAtOnce = 100;

async function loadTarget(trx: Knex, conversationId: ConversationId): Promise<(EpochTarget & TargetRow) | undefined> {
  const [row] = await findTarget(trx, conversationId);
  if (!row) return undefined;
  return {
    ...row,
    members: await listOwnMembers(trx, conversationId),
    admission: row.type === 'group' && row.is_public ? 1 : 0,
    timer: row.disappearing_seconds ?? 0,
  };
}

const referencesOf = ({ header, members }: CheckedEpoch): { account: Uint8Array; list: ListReference }[] =>
  [...members, ...header.changes].flatMap((one) =>
    'list' in one && one.list ? [{ account: one.account, list: one.list }] : [],
  );

/** Stores the lists that an epoch names, so that the next one is checked against them. */
async function storeNamedLists(trx: Knex, after: CheckedEpoch, states: AccountStates): Promise<void> {
  const known = [...states].flatMap(([userId, { newest, named }]) =>
    [newest, ...named].map((list) => ({ userId, ...list })),
  );
  const byHash = new Map(known.map((list) => [toHex(list.checked.hash), list]));
  const hashes = new Set(referencesOf(after).map(({ list }) => toHex(list.hash)));
  for (const hash of hashes) {
    const found = byHash.get(hash);
    if (found) await storeList(trx, found.userId, found.checked, found.body);
  }
}

/** Deletes requests of devices that lost access, and boxes of those that no list of a member names now. */
async function dropGoneDevices(
  trx: Knex,
  conversationId: ConversationId,
  { before, after, states }: { before: CheckedEpoch; after: CheckedEpoch; states: AccountStates },
): Promise<void> {
  const had = [...devicesOf(before.members), ...before.header.leftOut.map(({ device }) => device)];
  const has = new Set(devicesOf(after.members).map(deviceIdOf));
  const lost = had.map(deviceIdOf).filter((id) => !has.has(id));
  if (lost.length === 0) return;
  const isListed = (id: DeviceId) =>
    [...states.values()].some(({ newest }) =>
      newest.checked.list.devices.some((device) => deviceIdOf(device.id) === id),
    );
  const owners = new Map(
    before.members.flatMap(({ account, devices }) => devices.map((id) => [deviceIdOf(id), account])),
  );
  /** Lists of former members are not known here. */
  const isGone = (id: DeviceId) => {
    const owner = owners.get(id);
    return (!owner || findMember(after.members, owner) !== undefined) && !isListed(id);
  };
  await dropGone(trx, conversationId, lost, lost.filter(isGone));
}

/** @throws blocked, request_limit, messages_not_allowed */
async function refuseStrangers(trx: Knex, conversationId: ConversationId, userId: UserId): Promise<void> {
  const refusal = await findSystemMessageRefusal(trx, conversationId, userId);
  if (refusal === 'blocked') throw messageBlocked();
  if (refusal) throw messageRequestRefused(refusal);
}

/** Returns the count of removals in a conversation, which the caller has locked. */
export async function countRemovals(trx: Knex, conversationId: ConversationId): Promise<number> {
  const [row] = await findTarget(trx, conversationId);
  return row?.removals ?? 0;
}

/**
 * Begins an epoch in the caller's transaction, which has locked the conversation, and may have changed its members or
 * settings.
 *
 * @param removals count of removals when the conversation was locked
 * @param entered people whom the change adds, and the epoch must contain
 * @throws Refusal, EpochRefusal, conversation_replaced, and the errors of a message to a stranger
 */
async function beginConversationEpoch(
  trx: Knex,
  {
    userId,
    conversationId,
    removals,
    entered = [],
  }: { userId: UserId; conversationId: ConversationId; removals: number; entered?: readonly UserId[] },
  prepared: PreparedEpoch,
  now: Date,
): Promise<CommitOutcome> {
  const { upload, header, states } = prepared;
  const target = await loadTarget(trx, conversationId);
  if (!target?.members.some((member) => member.userId === userId)) return { outcome: 'missing' };
  if (target.type === 'meeting') throw new EpochRefusal('kind');
  if (target.is_replaced && !upload.lost) throw conversationReplaced();
  const state = await findBefore(trx, conversationId, upload, header);
  if ('outcome' in state) return state;
  await refuseStrangers(trx, conversationId, userId);
  // Clients refuse unsealed rows before a header that says that there are none.
  const saysNonePlain = header.n === 0 && header.reason === 0 && !upload.lost;
  if (saysNonePlain && (await findPlainMessage(trx, conversationId)).length > 0) return { outcome: 'stale', n: -1 };
  const { after, roles, gone, settings } = await checkConversationEpoch(state, prepared, { ...target, entered }, now);
  if (!upload.lost) await assertLastRows(trx, conversationId, lastRowsOf(header));
  for (const one of gone) await leaveGroupStatement(trx, conversationId, one.userId, now, one.reason);
  if (roles.length > 0)
    await setRoles(
      trx,
      conversationId,
      roles.map((one) => one.userId),
      roles.map(({ role }) => role),
      now,
    );
  const { n } = header;
  // A removal after the lists were asked for is not in this epoch. A lost one is not compared with the present.
  const isOpen = upload.lost || removals !== prepared.removals;
  await takeBackSettings(trx, conversationId, settings.admission ?? null, settings.timer ?? null);
  const [place] = await beginEpoch(trx, conversationId, n, now, isOpen);
  if (!place) throw new Error('The locked conversation is missing.');
  await storeEpoch(trx, conversationId, upload, { before: state.before, after, place, now });
  await storeNamedLists(trx, after, states);
  if (state.before) await dropGoneDevices(trx, conversationId, { before: state.before, after, states });
  await dropCommitted(
    trx,
    conversationId,
    after.members.map(({ account }) => toUuid(account)),
  );
  await enqueueConversationUpdated(trx, conversationId);
  await announceToMembers(trx, conversationId, n);
  return { outcome: 'accepted', n, hash: after.hash };
}

/**
 * Begins the epoch that goes with a change, in the transaction of that change.
 *
 * @throws epoch_stale, conversation_not_found, and what `beginConversationEpoch` throws
 */
export async function beginEpochOfChange(
  trx: Knex,
  where: { conversationId: ConversationId; removals: number; entered?: readonly UserId[] },
  { userId, prepared }: ChangeEpoch,
  now: Date,
): Promise<void> {
  const outcome = await beginConversationEpoch(trx, { ...where, userId }, prepared, now);
  if (outcome.outcome === 'stale') throw epochStale(outcome.n);
  if (outcome.outcome === 'missing') throw conversationNotFound();
}

async function loadKnownLists(
  db: Knex,
  names: Parameters<ConversationEpochStore['preview']>[1],
): Promise<Map<UserId, KnownList[]>> {
  const rows = await findLists(
    db,
    names.map(({ userId }) => userId),
    names.map(({ hash }) => Buffer.from(hash)),
  );
  const lists = rows.map((row): KnownList => ({ checked: toCheckedList(row), body: toBytes(row.body) }));
  return Map.groupBy(lists, ({ checked }) => toUuid(checked.list.account) as UserId);
}

/** Marks one conversation, if its newest epoch still gives the secret to a device that lost access. */
async function markIfOvertaken(
  trx: Knex,
  conversationId: ConversationId,
  isOvertakenBy: (roster: Buffer, trx: Knex) => Promise<boolean>,
): Promise<boolean> {
  if (!(await lockConversation(trx, conversationId))) return false;
  const [newest] = await findNewest(trx, conversationId);
  if (!newest || !(await isOvertakenBy(newest.roster, trx))) return false;
  await markRemoval(trx, conversationId);
  return true;
}

/** @param wake called after a commit that wrote to the outbox */
export function createConversationEpochStore(db: Knex, wake: () => void): ConversationEpochStore {
  return {
    async preview(conversationId, names) {
      const [row] = await findTarget(db, conversationId);
      return row && { removals: row.removals, lists: await loadKnownLists(db, names) };
    },

    async commit(userId, conversationId, prepared, now) {
      const outcome = await inTransaction(db, async (trx): Promise<CommitOutcome> => {
        if (!(await lockConversation(trx, conversationId))) return { outcome: 'missing' };
        const removals = await countRemovals(trx, conversationId);
        return beginConversationEpoch(trx, { userId, conversationId, removals }, prepared, now);
      });
      if (outcome.outcome === 'accepted') wake();
      return outcome;
    },

    async target(userId, conversationId, now) {
      const target = await loadTarget(db, conversationId);
      const isMember = target?.members.some((member) => member.userId === userId) ?? false;
      if (!target || !isMember || target.type === 'meeting') return undefined;
      const leaves = await findLeaves(db, conversationId, now);
      const additions = (await listAdditions(db, conversationId)).map(({ change }) => change);
      return { ...target, leaves, additions, n: target.epoch, removalPending: target.removal_pending };
    },

    namedAmong: async (userIds, actorId) => (await findNamedAccounts(db, userIds, actorId ?? null)).map(({ id }) => id),

    async isInAny(userId) {
      return (await listSealed(db, userId, null, 1)).length > 0;
    },

    async markRemovals(userId, state) {
      const account = fromUuid(userId);
      const isOvertakenBy = async (roster: Buffer, connection: Knex): Promise<boolean> => {
        const members = readRoster(roster);
        const own = findMember(members, account)?.list;
        const [named] = own ? await findLists(connection, [userId], [Buffer.from(own.hash)]) : [];
        return isOvertaken(members, userId, named && toCheckedList(named).list, state);
      };
      let marked = 0;
      let after: ConversationId | undefined;
      for (;;) {
        const page = await listSealed(db, userId, after ?? null, conversationsAtOnce);
        for (const { id, roster } of page)
          if (await isOvertakenBy(roster, db))
            marked += Number(await inTransaction(db, (trx) => markIfOvertaken(trx, id, isOvertakenBy)));
        after = page.at(-1)?.id;
        if (!after || page.length < conversationsAtOnce) return marked;
      }
    },

    partsOf: (userId) => findEpochParts(db, userId),

    exportFrom: (conversationId, from, devices) => exportOwnEpochs(db, conversationId, from, devices),
  };
}
