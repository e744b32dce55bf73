import type { Knex } from '@nolo/kit/db';

/** Webhooks of an account that is closed to be deleted are told of nothing, until it is opened again. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table webhooks add column owner_closed boolean not null default false`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table webhooks drop column owner_closed`);
}
