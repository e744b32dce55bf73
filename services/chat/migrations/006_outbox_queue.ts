import type { Knex } from '@nolo/kit/db';
import { makeOutboxQueue, unmakeOutboxQueue } from '@nolo/kit/outbox';

/** Turns the outbox into a queue: rows have a key, may be delayed, and are set aside if delivery fails. */
export async function up(db: Knex): Promise<void> {
  await makeOutboxQueue(db);
  // Waiting rows need a key, too, otherwise they would outlive their message.
  await db.raw(`
    update outbox set key = coalesce(payload -> 'frame' -> 'data' ->> 'messageId', payload -> 'frame' -> 'data' ->> 'id')::uuid
    where not durable and payload -> 'frame' ->> 'type' in ('new_message', 'message_updated', 'message_reaction')`);
}

export async function down(db: Knex): Promise<void> {
  await unmakeOutboxQueue(db);
}
