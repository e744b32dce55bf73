import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables } from '@nolo/kit/events';

/** How far this service has read the events of others, and those that it could not deal with. */
export async function up(db: Knex): Promise<void> {
  await createEventCursorTables(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table parked_events, event_cursors');
}
