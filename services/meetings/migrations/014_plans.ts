import type { Knex } from '@nolo/kit/db';

/** Stores the number of participants that the host requested, so more get in as soon as the plan allows it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table meetings add column asked_participants integer;
    comment on column meetings.asked_participants is
      'What max_participants is once the plan allows it; null where the version before wrote it, and then they are the same.';
    create index meetings_open_of on meetings (host_id) where not closed;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index meetings_open_of;
    alter table meetings drop column asked_participants;
  `);
}
