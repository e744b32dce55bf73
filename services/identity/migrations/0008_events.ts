import type { Knex } from '@nolo/kit/db';
import { createEventTables } from '@nolo/kit/events';

/** Stores events in a log of this service that others read. */
export async function up(db: Knex): Promise<void> {
  await createEventTables(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table events, event_log');
}
