import type { Knex } from '@nolo/kit/db';

/** Adds announcements by operators: a sentence in some languages, valid until a time. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table bulletins (
      id uuid primary key,
      -- By language; English is always there.
      texts jsonb not null check (texts->>'en' is not null and pg_column_size(texts) <= 8000),
      severity text not null check (severity in ('info', 'warning')),
      created_at timestamptz not null,
      until timestamptz not null,
      -- Where somebody ended it before its time.
      ended_at timestamptz
    );
    create index bulletins_current on bulletins (until) where ended_at is null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table bulletins');
}
