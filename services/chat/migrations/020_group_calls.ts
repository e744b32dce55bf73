import type { Knex } from '@nolo/kit/db';

/** Since when a call goes on in a group, and when that was last reported: reports may come late and more than once. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table conversations
      add column call_since timestamptz(3),
      add column call_changed_at timestamptz(3);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table conversations drop column call_since, drop column call_changed_at');
}
