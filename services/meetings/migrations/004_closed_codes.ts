import type { Knex } from '@nolo/kit/db';

/** Whoever had a part in a meeting finds it by its last code when it is over. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`create index meetings_closed on meetings (last_room_code) where closed`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop index meetings_closed`);
}
