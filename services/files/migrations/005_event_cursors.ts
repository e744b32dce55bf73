import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables } from '@nolo/kit/events';

/** Adds the positions in the event logs of other services, and events that could not be handled. */
export async function up(db: Knex): Promise<void> {
  await createEventCursorTables(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table parked_events, event_cursors');
}
