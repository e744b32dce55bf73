import type { Knex } from '@nolo/kit/db';

/** Tells drafts that their authors withdrew from those that an admin rejected. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table held_messages add column withdrawn boolean not null default false');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table held_messages drop column withdrawn');
}
