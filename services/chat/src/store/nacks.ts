import {
  checkNack,
  equalBytes,
  findDevice,
  findMember,
  fromUuid,
  readBox,
  readHeader,
  readNack,
  readRoster,
  Refusal,
  toUuid,
  type CheckedList,
  type Nack,
} from '@nolo/e2ee';
import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { DeviceId, NackStore } from '../domain/epochPorts.ts';
import { deviceIdOf } from '../domain/epochs.ts';
import { announceEpoch, findLists, findNewest, toBytes, toCheckedList } from './epochRows.ts';
import { findPart } from './epochs.ts';
import { buildMemberAudienceSql, buildOutboundFrameSql, buildRecipientsSql, outboxColumns } from './frames.ts';
import { lockedNackSql, sharedEpochSql } from './locks.ts';
import { defineStatement } from './statement.ts';

const maxListed = 100;

const findEpoch = defineStatement<{ hash: Buffer; body: Buffer; roster: Buffer }>('nack_epoch', sharedEpochSql);

/** $1 conversation, $2 number, $3 device, $4 body, $5 signature, $6 time. */
const addNack = defineStatement<{ n: number }>(
  'add_nack',
  `insert into epoch_nacks (conversation_id, n, device_id, body, signature, at) values ($1, $2, $3, $4, $5, $6)
  on conflict (conversation_id, n, device_id) do update
    set body = excluded.body, signature = excluded.signature, at = excluded.at
    where epoch_nacks.body <> excluded.body
  returning n`,
);

const countWaiting = defineStatement<{ nacks: number; removals: number }>(
  'count_waiting_keys',
  `select (select count(*)::int from epoch_nacks) as nacks,
    (select count(*)::int from conversations where removal_pending) as removals`,
);

const listNacks = defineStatement<{ body: Buffer; signature: Buffer }>(
  'list_nacks',
  `select body, signature from epoch_nacks where conversation_id = $1 order by at, n, device_id limit ${maxListed}`,
);

/** $1 conversation, $2 number, $3 device. */
const lockNack = defineStatement<{ body: Buffer }>('lock_nack', lockedNackSql);

/** $1 conversation, $2 number, $3 device, $4 box. */
const answerNack = defineStatement(
  'answer_nack',
  `with answered as (
    delete from epoch_nacks where conversation_id = $1 and n = $2 and device_id = $3
    returning conversation_id, n, device_id
  )
  insert into epoch_boxes (conversation_id, n, device_id, purpose, box)
  select conversation_id, n, device_id, 'answer', $4 from answered
  on conflict (conversation_id, n, device_id, purpose) do update set box = excluded.box`,
);

/** $1 account, $2 conversation. */
const announceNacks = defineStatement(
  'announce_nacks',
  `insert into outbox ${outboxColumns} select ${buildOutboundFrameSql(
    '0',
    buildRecipientsSql('jsonb_build_array($1::uuid)'),
    'nacks_changed',
    { conversationId: '$2::uuid' },
  )}`,
);

/** $1 conversation. */
const announceNacksToMembers = defineStatement(
  'announce_conversation_nacks',
  `insert into outbox ${outboxColumns} select ${buildOutboundFrameSql(
    '0',
    buildMemberAudienceSql('$1::uuid'),
    'nacks_changed',
    { conversationId: '$1::uuid' },
  )}`,
);

/** $1 conversation, $2 number, $3 device. */
const findAnswer = defineStatement<{ n: number }>(
  'find_epoch_answer',
  `select n from epoch_boxes where conversation_id = $1 and n = $2 and device_id = $3 and purpose = 'answer'`,
);

type Part = Awaited<ReturnType<typeof findPart>>;

const announce = (trx: Knex, part: Part, userId: UserId, conversationId: ConversationId): Promise<unknown> =>
  part === 'vault' ? announceNacks(trx, userId, conversationId) : announceNacksToMembers(trx, conversationId);

/**
 * Refuses a request that no device may answer (docs/encryption.md, section 4, Nack): of an account that is not in the
 * roster of the epoch and of the newest one with the same identity, or of a device that is left out now. A device that
 * was not in the epoch's roster gets the secret only without a timer, and never if it is a token.
 */
async function assertMayAsk(
  trx: Knex,
  nack: Pick<Nack, 'conversation' | 'account' | 'device'>,
  epoch: { body: Buffer; roster: Buffer },
  { list, identity }: CheckedList,
): Promise<void> {
  const refuse = (message: string) => new Refusal('rights', message);
  const [newest] = await findNewest(trx, toUuid(nack.conversation));
  const was = findMember(readRoster(epoch.roster), nack.account);
  const is = newest && findMember(readRoster(newest.roster), nack.account);
  if (!newest || !was?.list || !is?.list) throw refuse('a request of somebody who is no member');
  const named = await findLists(
    trx,
    [toUuid(nack.account), toUuid(nack.account)],
    [Buffer.from(was.list.hash), Buffer.from(is.list.hash)],
  );
  if (named.length === 0 || named.some((one) => !equalBytes(toCheckedList(one).identity, identity)))
    throw refuse('a request of another identity');
  const { leftOut } = readHeader({ body: toBytes(newest.body) });
  if (leftOut.some(({ device }) => equalBytes(device, nack.device))) throw refuse('a device that is left out');
  if (was.devices.some((device) => equalBytes(device, nack.device))) return;
  const { timer } = readHeader({ body: toBytes(epoch.body) });
  if (timer > 0 || findDevice(list, nack.device)?.kind === 2) throw refuse('a secret of before this device');
}

/** Refuses a device that did not get the secret of an epoch. */
export function assertInRoster(roster: Buffer, device: DeviceId): void {
  const isInside = readRoster(roster).some(({ devices }) => devices.some((one) => deviceIdOf(one) === device));
  if (!isInside) throw new Refusal('rights', 'a device that did not get this secret');
}

/** Refuses a box that is not for the request of this device, or of another suite than the epoch's. */
function assertAnswers(nack: Buffer, deviceId: DeviceId, header: Buffer, box: Uint8Array): void {
  const read = readBox(box);
  const { boxNumber } = readNack({ body: toBytes(nack) });
  const { suite } = readHeader({ body: toBytes(header) });
  if (deviceIdOf(read.device) !== deviceId || read.number !== boxNumber || read.suite !== suite)
    throw new Refusal('subject', 'a box for another request');
}

/** @param wake called after a commit that wrote to the outbox */
export function createNackStore(db: Knex, wake: () => void): NackStore {
  return {
    async add(userId, conversationId, statement, { newest, device }, now) {
      const nack = await checkNack(statement, newest.list);
      if (deviceIdOf(nack.device) !== device || !equalBytes(nack.conversation, fromUuid(conversationId)))
        throw new Refusal('subject', 'a request of another device');
      const added = await inTransaction(db, async (trx) => {
        const part = await findPart(trx, userId, conversationId);
        if (!part) return 'missing';
        const [epoch] = await findEpoch(trx, conversationId, nack.n);
        if (!epoch || !equalBytes(epoch.hash, nack.headerHash)) throw new Refusal('subject', 'another epoch');
        if (part === 'member') await assertMayAsk(trx, nack, epoch, newest);
        const { body, signature } = statement;
        const values = [Buffer.from(body), Buffer.from(signature), now] as const;
        if ((await addNack(trx, conversationId, nack.n, device, ...values)).length === 0) return 'repeated';
        await announce(trx, part, userId, conversationId);
        return 'stored';
      });
      if (added === 'stored') wake();
      return added;
    },

    async list(userId: UserId, conversationId: ConversationId) {
      return (await findPart(db, userId, conversationId)) ? listNacks(db, conversationId) : undefined;
    },

    async countWaiting() {
      const [counted] = await countWaiting(db);
      return counted ?? { nacks: 0, removals: 0 };
    },

    async answer(userId, conversationId, { n, deviceId, box, by }) {
      const answered = await inTransaction(db, async (trx) => {
        const part = await findPart(trx, userId, conversationId);
        if (!part) return 'missing';
        const [epoch] = await findEpoch(trx, conversationId, n);
        const [nack] = await lockNack(trx, conversationId, n, deviceId);
        if (!epoch || !nack) return 'nack_missing';
        if ((await findAnswer(trx, conversationId, n, by)).length === 0) assertInRoster(epoch.roster, by);
        assertAnswers(nack.body, deviceId, epoch.body, box);
        await answerNack(trx, conversationId, n, deviceId, Buffer.from(box));
        await announce(trx, part, userId, conversationId);
        await announceEpoch(trx, toUuid(readNack({ body: toBytes(nack.body) }).account), conversationId, n);
        return 'answered';
      });
      if (answered === 'answered') wake();
      return answered;
    },
  };
}
