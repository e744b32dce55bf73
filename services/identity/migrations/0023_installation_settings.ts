import type { Knex } from '@nolo/kit/db';

/** Adds operators' runtime settings. A setting without a row keeps its configured value. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table installation_settings (
      name text primary key check (length(name) <= 50),
      value text not null check (length(value) <= 50),
      changed_at timestamptz not null
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table installation_settings');
}
