import type { Knex } from '@nolo/kit/db';

/** Adds the picture of a reported status update, as the reporter submitted it. Deleted with the report. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table report_pictures (
      report_id uuid primary key references reports (id) on delete cascade,
      type text not null check (type in ('image/webp', 'image/jpeg', 'image/png')),
      content bytea not null check (length(content) <= 400000)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table report_pictures');
}
