import type { Knex } from '@nolo/kit/db';

/** Adds when a user was last connected, to the minute, for users who let anyone see it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users add column last_seen_visibility text not null default 'contacts'
      check (last_seen_visibility in ('everyone', 'contacts', 'nobody'));
    create table last_seen (
      user_id uuid primary key references users (id) on delete cascade,
      seen_at timestamptz(3) not null
    );
    create index last_seen_age on last_seen (seen_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table last_seen;
    alter table users drop column last_seen_visibility;
  `);
}
