import type { Knex } from '@nolo/kit/db';
import { createEventTables } from '@nolo/kit/events';
import { addOutboxTraceparent, createOutboxTable, makeOutboxQueue } from '@nolo/kit/outbox';

/** Adds notifications about archives for people and other services. */
export async function up(db: Knex): Promise<void> {
  await createOutboxTable(db);
  await addOutboxTraceparent(db);
  await makeOutboxQueue(db);
  await createEventTables(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table outbox_parked, outbox, events, event_log');
}
