import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- When the plan of the one who called ends a call of three or more.
    alter table calls add column ends_at timestamptz(3), add column warned boolean not null default false;
    create index calls_ends on calls (ends_at) where ends_at is not null;

    -- By what a guest's browser is known again, whatever name they give.
    alter table guests add column visitor_id uuid;
    create index guests_visitor on guests (meeting_id, visitor_id);

    -- Browsers of guests whom a host has removed; it goes with the meeting.
    create table barred_visitors (
      meeting_id uuid not null references meetings (id) on delete cascade,
      visitor_id uuid not null,
      barred_at timestamptz(3) not null,
      primary key (meeting_id, visitor_id)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table barred_visitors;
    drop index guests_visitor, calls_ends;
    alter table guests drop column visitor_id;
    alter table calls drop column ends_at, drop column warned;
  `);
}
