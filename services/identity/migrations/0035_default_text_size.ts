import type { Knex } from '@nolo/kit/db';

/** Renames the value of the text size. Replicas of 0.2.0 ignore the new one, so their users keep the device's size. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`update preferences set value = '"default"' where name = 'textSize' and value = '"usual"'`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`update preferences set value = '"usual"' where name = 'textSize' and value = '"default"'`);
}
