import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables, createEventTables } from '@nolo/kit/events';

/** Stores this service's events in a log, and its read positions in the logs of others. */
export async function up(db: Knex): Promise<void> {
  await createEventTables(db);
  await createEventCursorTables(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table events, event_log, parked_events, event_cursors');
}
