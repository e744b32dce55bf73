import type { Knex } from '@nolo/kit/db';

/** Adds the branding that a host's plan gives to rooms. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table brands (
      owner_id uuid primary key,
      name text not null check (char_length(name) between 1 and 40),
      color text not null check (color ~ '^#[0-9a-f]{6}$'),
      logo_path text,
      updated_at timestamptz not null
    );
    comment on column brands.owner_id is 'An account: its own meetings carry it, and those of the team whose seats it bought.';
    comment on column brands.logo_path is 'Where files keeps the logo; null where there is none.';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table brands');
}
