import type { Knex } from '@nolo/kit/db';
import { makeOutboxQueue, unmakeOutboxQueue } from '@nolo/kit/outbox';

/** Rows of the outbox have a key, may wait for their time, and are set aside where they cannot be passed on. */
export async function up(db: Knex): Promise<void> {
  await makeOutboxQueue(db);
  // What waits right now has its key as well, or it would outlive its message.
  await db.raw(`
    update outbox set key = coalesce(payload -> 'frame' -> 'data' ->> 'messageId', payload -> 'frame' -> 'data' ->> 'id')::uuid
    where not durable and payload -> 'frame' ->> 'type' in ('new_message', 'message_updated', 'message_reaction')`);
}

export async function down(db: Knex): Promise<void> {
  await unmakeOutboxQueue(db);
}
