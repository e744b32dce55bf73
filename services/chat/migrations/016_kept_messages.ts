import type { Knex } from '@nolo/kit/db';

/** Adds the number up to which a conversation was checked for messages past their retention (MESSAGES_KEPT_DAYS). */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table conversations add column aged_seq bigint not null default 0');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table conversations drop column aged_seq');
}
