import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables, createEventTables } from '@nolo/kit/events';
import { addOutboxTraceparent, createOutboxTable, makeOutboxQueue } from '@nolo/kit/outbox';

export async function up(db: Knex): Promise<void> {
  await createOutboxTable(db);
  await addOutboxTraceparent(db);
  await makeOutboxQueue(db);
  await createEventTables(db);
  await createEventCursorTables(db);
  await db.raw(`
    -- What was taken back stays without its content until its time is over, so that posting it again does not bring it back.
    create table statuses (
      id uuid primary key,
      author_id uuid not null,
      client_id uuid,
      media_type text not null check (media_type in ('text', 'image', 'video')),
      content text not null,
      encryption text not null check (encryption in ('none', 'mls')),
      file_id uuid,
      preview_file_id uuid,
      audience_mode text not null check (audience_mode in ('contacts', 'except', 'only')),
      audience_ids uuid[] not null default '{}',
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      removed_at timestamptz(3),
      unique (author_id, client_id)
    );
    create index statuses_author on statuses (author_id, created_at) where removed_at is null;
    create index statuses_expiry on statuses (expires_at);
    create index statuses_file on statuses (file_id) where file_id is not null;
    create index statuses_preview on statuses (preview_file_id) where preview_file_id is not null;

    -- Whose receipts are off is noted as one who has looked, and told to nobody.
    create table views (
      status_id uuid not null references statuses (id) on delete cascade,
      viewer_id uuid not null,
      viewed_at timestamptz(3) not null,
      shared boolean not null,
      primary key (status_id, viewer_id)
    );
    create index views_page on views (status_id, viewed_at desc, viewer_id desc) where shared;
    create index views_viewer on views (viewer_id);

    create table audiences (
      user_id uuid primary key,
      mode text not null check (mode in ('contacts', 'except', 'only')),
      user_ids uuid[] not null default '{}'
    );
    create index audiences_people on audiences using gin (user_ids);

    create table mutes (
      user_id uuid not null,
      author_id uuid not null,
      primary key (user_id, author_id)
    );
    create index mutes_author on mutes (author_id);

    -- Copies of what identity and chat tell in their events.
    create table contacts (
      owner_id uuid not null,
      user_id uuid not null,
      primary key (owner_id, user_id)
    );
    create index contacts_user on contacts (user_id);
    create table blocks (
      blocker_id uuid not null,
      blocked_id uuid not null,
      primary key (blocker_id, blocked_id)
    );
    create index blocks_blocked on blocks (blocked_id);
    create table receipts_off (user_id uuid primary key);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    `drop table receipts_off, blocks, contacts, mutes, audiences, views, statuses, outbox_parked, outbox, events, event_log,
    parked_events, event_cursors`,
  );
}
