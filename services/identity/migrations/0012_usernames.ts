import type { Knex } from '@nolo/kit/db';

/** Adds usernames, including those given up. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table usernames (
      -- What stands for all that looks like it.
      skeleton text primary key,
      username text not null,
      -- Absent once the account is gone.
      user_id uuid references users (id) on delete set null,
      since timestamptz not null,
      -- When it was given up; for some days after it is nobody else's.
      released_at timestamptz
    );
    create unique index usernames_user on usernames (user_id) where released_at is null;
    -- Of one's own that were given up, and when an account goes.
    create index usernames_of_user on usernames (user_id);
    create index usernames_released on usernames (released_at) where released_at is not null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table usernames');
}
