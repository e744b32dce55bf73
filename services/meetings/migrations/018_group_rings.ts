import type { Knex } from '@nolo/kit/db';

/**
 * For whom the call of a group rings now: a row goes when they answer or have been rung for long enough. The row of whoever
 * declines stays until then too, so that another call does not ring for them at once.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table group_rings (
      meeting_id uuid not null references meetings (id) on delete cascade,
      user_id uuid not null,
      call_id uuid not null,
      group_id uuid not null,
      room_code text not null,
      caller_id uuid not null,
      type text not null,
      since timestamptz(3) not null,
      declined boolean not null default false,
      primary key (meeting_id, user_id)
    );
    create index group_rings_user on group_rings (user_id);
    create index group_rings_since on group_rings (since);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table group_rings');
}
