import type { Knex } from '@nolo/kit/db';

/** Adds operator metrics: how late posts are published, and how many need a person's review. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deliveries add column due_at timestamptz;
    comment on column deliveries.due_at is 'When it was to go out, by the schedule or by whoever sent it again.';
    create index deliveries_review on deliveries (platform) where state = 'needs_review';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index deliveries_review;
    alter table deliveries drop column due_at;
  `);
}
