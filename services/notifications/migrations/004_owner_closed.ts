import type { Knex } from '@nolo/kit/db';

/** Adds a flag that silences webhooks of closed accounts until they are reopened. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table webhooks add column owner_closed boolean not null default false`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table webhooks drop column owner_closed`);
}
