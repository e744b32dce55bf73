import { readList } from '@nolo/e2ee';
import type { Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { DeviceId, ExportedEpoch } from '../domain/epochPorts.ts';
import { deviceIdOf } from '../domain/epochs.ts';
import { toBytes } from './epochRows.ts';
import { defineStatement } from './statement.ts';

/* Parts of an account in the epochs of its conversations: boxes, requests, and leaves. */

/** Epochs of one statement of an export. */
const epochsAtOnce = 50;

const listConversations = defineStatement<{ id: ConversationId }>(
  'epoch_conversations',
  `select m.conversation_id as id from members m join conversations c on c.id = m.conversation_id
  where m.user_id = $1 and c.epoch is not null order by m.conversation_id`,
);

const listBodies = defineStatement<{ body: Buffer }>(
  'epoch_list_bodies',
  'select body from epoch_lists where user_id = $1',
);

/** $1 conversation, $2 first number, $3 devices. */
const exportEpochs = defineStatement<ExportedEpoch>(
  'export_own_epochs',
  `select e.n, e.body, e.signature, null as roster, null as "previousSecret",
    array(select b.device_id::text from epoch_boxes b where b.conversation_id = e.conversation_id and b.n = e.n
      and b.device_id = any($3::uuid[]) order by b.device_id, b.purpose) as "deviceIds",
    array(select b.box from epoch_boxes b where b.conversation_id = e.conversation_id and b.n = e.n
      and b.device_id = any($3::uuid[]) order by b.device_id, b.purpose) as boxes
  from epochs e where e.conversation_id = $1 and e.n >= $2 order by e.n limit ${epochsAtOnce}`,
);

/** $1 conversations, $2 devices, $3 account. */
const forgetParts = defineStatement(
  'forget_epoch_parts',
  `with nacks as (
    delete from epoch_nacks where conversation_id = any($1::uuid[]) and device_id = any($2::uuid[])
  ), leaves as (
    delete from epoch_leaves where conversation_id = any($1::uuid[]) and user_id = $3
  )
  delete from epoch_boxes where conversation_id = any($1::uuid[]) and device_id = any($2::uuid[])`,
);

/** Returns the conversations with epochs that an account is or was a member of, and its devices in them. */
export async function findEpochParts(
  db: Knex,
  userId: UserId,
): Promise<{ conversationIds: ConversationId[]; devices: DeviceId[] }> {
  const conversations = await listConversations(db, userId);
  const lists = await listBodies(db, userId);
  const devices = lists.flatMap(({ body }) => readList({ body: toBytes(body) }).devices);
  return {
    conversationIds: conversations.map(({ id }) => id),
    devices: [...new Set(devices.map(({ id }) => deviceIdOf(id)))],
  };
}

export const exportOwnEpochs = (
  db: Knex,
  conversationId: ConversationId,
  from: number,
  devices: readonly DeviceId[],
): Promise<ExportedEpoch[]> => exportEpochs(db, conversationId, from, devices);

/** Deletes what the devices of an account have in epochs of conversations. Headers name accounts, and stay. */
export async function forgetEpochParts(db: Knex, userId: UserId): Promise<void> {
  const { conversationIds, devices } = await findEpochParts(db, userId);
  await forgetParts(db, conversationIds, devices, userId);
}
