import type { Knex } from '@nolo/kit/db';

/** Adds the start of a group's active call and the time of the last report; reports may be late or repeated. */
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
