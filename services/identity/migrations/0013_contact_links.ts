import type { Knex } from '@nolo/kit/db';

/**
 * Adds the token of the link that adds someone as a contact without a phone number. Stored unhashed because it is shown
 * again.
 */
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
