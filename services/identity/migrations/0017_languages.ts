import type { Knex } from '@nolo/kit/db';

/**
 * How people are written to: the language that they chose for all their devices (`device`: each speaks its own), the one
 * of the browser that was last told of, and their time zone. Null of those from before, until a device tells.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users
      add column language text check (language in ('device', 'en', 'de')),
      add column device_language text check (device_language in ('en', 'de')),
      add column time_zone text check (length(time_zone) <= 64);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table users drop column language, drop column device_language, drop column time_zone');
}
