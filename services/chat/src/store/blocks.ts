import type { Knex } from '@nolo/kit/db';
import type { BlockStore } from '../domain/ports.ts';
import { defineStatement } from './statement.ts';

/** Events may arrive twice and out of order. Their IDs begin with the time, so the greatest one wins. */
const apply = defineStatement(
  'apply_block',
  `insert into blocks (blocker_id, blocked_id, blocked, event_id) values ($1, $2, $3, $4)
  on conflict (blocker_id, blocked_id) do update set blocked = excluded.blocked, event_id = excluded.event_id
  where blocks.event_id < excluded.event_id`,
);

const forget = defineStatement('forget_blocks', 'delete from blocks where blocker_id = $1 or blocked_id = $1');

export function createBlockStore(db: Knex): BlockStore {
  return {
    async apply({ blockerId, blockedId, blocked, eventId }) {
      await apply(db, blockerId, blockedId, blocked, eventId);
    },
    async forget(userId) {
      await forget(db, userId);
    },
  };
}
