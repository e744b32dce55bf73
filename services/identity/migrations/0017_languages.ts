import type { Knex } from '@nolo/kit/db';

/**
 * Adds the language of a user's messages: the one chosen for all devices (`device`: each uses its own), the last
 * reported browser language, and the time zone. Null for existing accounts until a device reports them.
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
