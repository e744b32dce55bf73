import type { Knex } from '@nolo/kit/db';

/** Lets participants find a meeting that is over by its last code. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`create index meetings_closed on meetings (last_room_code) where closed`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop index meetings_closed`);
}
