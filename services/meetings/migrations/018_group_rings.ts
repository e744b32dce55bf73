import type { Knex } from '@nolo/kit/db';

/**
 * Adds current rings of group calls. A row is deleted when the person answers or the ring times out. A declined row
 * also stays until the timeout, so another call does not ring at once.
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
