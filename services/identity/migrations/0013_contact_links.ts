import type { Knex } from '@nolo/kit/db';

/** The token of the link by which somebody is added without a number. It is shown again, so it is kept as it is. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table contact_links (
      user_id uuid primary key references users (id) on delete cascade,
      token text not null unique,
      made_at timestamptz not null
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table contact_links');
}
