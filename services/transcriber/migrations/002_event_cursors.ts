import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables } from '@nolo/kit/events';

/** Stores this service's read positions in others' events, and events that failed. */
export async function up(db: Knex): Promise<void> {
  await createEventCursorTables(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table parked_events, event_cursors');
}
