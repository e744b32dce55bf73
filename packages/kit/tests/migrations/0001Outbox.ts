import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables, createEventTables } from '@nolo/kit/events';
import { addOutboxTraceparent, createOutboxTable, dropUnusedOutboxParts, makeOutboxQueue } from '@nolo/kit/outbox';

export async function up(db: Knex): Promise<void> {
  await createOutboxTable(db);
  await addOutboxTraceparent(db);
  await makeOutboxQueue(db);
  await dropUnusedOutboxParts(db);
  await createEventCursorTables(db);
  await createEventTables(db);
  await db.schema.createTable('counters', (table) => {
    table.text('name').primary();
    table.bigInteger('value').notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('counters');
  await db.raw('drop table outbox, outbox_parked, events, event_log, event_cursors, parked_events');
}
