import { readChange } from '@nolo/e2ee';
import type { Knex } from '@nolo/kit/db';
import type { ConversationId } from '@nolo/kit/ids';
import { countsNext } from '../domain/conversationEpochs.ts';
import { findNewestState, toBytes } from './epochRows.ts';
import { hasLastRows } from './lastRows.ts';
import { defineStatement } from './statement.ts';

/** Signed leaves and additions that no epoch contains yet, of locked conversations. */

/** $1 conversation. */
const listLeaves = defineStatement<{ change: Buffer }>(
  'epoch_leaves',
  'select change from epoch_leaves where conversation_id = $1 order by user_id',
);

/**
 * Returns the signed leaves that the next epoch can contain. A leave that was signed badly, too long ago, or with last
 * rows that are not there would have every epoch refused; without it, the leave is the server's.
 */
export async function findLeaves(db: Knex, conversationId: ConversationId, now: Date): Promise<Buffer[]> {
  const stored = (await listLeaves(db, conversationId)).map(({ change }) => ({
    bytes: change,
    change: readChange(toBytes(change)),
  }));
  if (stored.length === 0) return [];
  const state = await findNewestState(
    db,
    conversationId,
    stored.map(({ change }) => change),
  );
  const found: Buffer[] = [];
  for (const { bytes, change } of stored) {
    if (!state || !('lastRows' in change) || !(await countsNext(change, state, now))) continue;
    if (await hasLastRows(db, conversationId, change.lastRows)) found.push(bytes);
  }
  return found;
}

/** $1 conversation, $2 leaving person, $3 change 2 with its evidence, $4 time. */
export const addLeave = defineStatement(
  'add_epoch_leave',
  `insert into epoch_leaves (conversation_id, user_id, change, at)
  select id, $2, $3, $4 from conversations where id = $1 and epoch is not null
  on conflict (conversation_id, user_id) do update set change = excluded.change, at = excluded.at`,
);

/** $1 conversation. */
export const listAdditions = defineStatement<{ change: Buffer }>(
  'epoch_additions',
  'select change from epoch_additions where conversation_id = $1 order by user_id',
);

/** $1 conversation, $2 newcomer, $3 change 0 with its evidence, $4 time. */
export const addAddition = defineStatement(
  'add_epoch_addition',
  `insert into epoch_additions (conversation_id, user_id, change, at)
  select id, $2, $3, $4 from conversations where id = $1 and epoch is not null
  on conflict (conversation_id, user_id) do update set change = excluded.change, at = excluded.at`,
);

/** Drops what an epoch with these members contains. $1 conversation, $2 members. */
export const dropCommitted = defineStatement(
  'drop_committed_changes',
  `with leaves as (
    delete from epoch_leaves where conversation_id = $1 and user_id <> all($2::uuid[])
  )
  delete from epoch_additions where conversation_id = $1 and user_id = any($2::uuid[])`,
);
