import type { Knex } from '@nolo/kit/db';

/** Adds app preferences that apply to all of a user's devices. The last change wins for each. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table preferences (
      user_id uuid not null references users (id) on delete cascade,
      name text not null check (length(name) <= 40),
      value jsonb not null check (length(value::text) <= 8192),
      -- When it was chosen, on the device where it was.
      changed_at timestamptz not null,
      primary key (user_id, name)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table preferences');
}
