import type { Knex } from '@nolo/kit/db';

const columns = (table: string) => `alter table ${table}
  add column country text check (length(country) = 2),
  add column city text check (length(city) <= 100);`;

/**
 * Adds the location where a session was last opened and where a notified action happened. Null without a location
 * database.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`${columns('sessions')} ${columns('security_notices')}`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table sessions drop column country, drop column city;
    alter table security_notices drop column country, drop column city;
  `);
}
