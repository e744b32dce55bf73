import type { Knex } from '@nolo/kit/db';
import { createOutboxTable } from '@nolo/kit/outbox';

export async function up(db: Knex): Promise<void> {
  await createOutboxTable(db);
  await db.raw(`
    -- The counters change with every message. Room on the page keeps those updates from touching the indexes.
    create table conversations (
      id uuid primary key,
      type text not null check (type in ('direct', 'group', 'meeting')),
      direct_key text unique,
      last_seq bigint not null default 0,
      last_change_seq bigint not null default 0,
      last_message_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      check ((type = 'direct') = (direct_key is not null))
    ) with (fillfactor = 50);

    -- read_seq is private and makes the unread count; the shared cursors are what other members may see.
    -- There is no index on change_seq: a conversation has at most 500 members, and without it moving a cursor
    -- touches no index at all.
    create table members (
      conversation_id uuid not null references conversations (id),
      user_id uuid not null,
      role text not null default 'member' check (role in ('owner', 'admin', 'member')),
      joined_at timestamptz(3) not null,
      joined_seq bigint not null default 0,
      left_at timestamptz(3),
      left_seq bigint,
      read_seq bigint not null default 0,
      shared_delivered_seq bigint not null default 0,
      shared_read_seq bigint not null default 0,
      change_seq bigint not null,
      primary key (conversation_id, user_id)
    ) with (fillfactor = 50);
    create index members_user on members (user_id, conversation_id);

    create table messages (
      conversation_id uuid not null references conversations (id),
      seq bigint not null,
      id uuid not null unique,
      sender_id uuid not null,
      client_message_id uuid,
      change_seq bigint not null,
      content text not null,
      encryption text not null check (encryption in ('none', 'mls')),
      message_type text not null check (message_type in ('text', 'image', 'file', 'voice', 'system')),
      file_url text,
      file_name text,
      file_size bigint,
      voice_message_url text,
      voice_message_duration double precision,
      voice_message_transcription text,
      mentions uuid[] not null default '{}',
      created_at timestamptz(3) not null,
      edited_at timestamptz(3),
      deleted_at timestamptz(3),
      primary key (conversation_id, seq),
      unique (sender_id, client_message_id)
    );
    create index messages_change on messages (conversation_id, change_seq);

    create table preferences (
      user_id uuid primary key,
      share_receipts boolean not null default true
    );

    -- What identity told about blocks. Lifted ones stay, so that an older event that arrives late is recognised.
    create table blocks (
      blocker_id uuid not null,
      blocked_id uuid not null,
      blocked boolean not null,
      event_id uuid not null,
      primary key (blocker_id, blocked_id)
    );
    create index blocks_blocked on blocks (blocked_id);

    -- A version 7 UUID of the moment at which the row is written, to the microsecond, and then of its place in the
    -- statement. Written under the lock of a conversation it sorts that conversation's outbox rows as they happened;
    -- an id made by the caller before it had the lock would not.
    create function ordered_id(place bigint) returns uuid language sql volatile as $$
      select (
        lpad(to_hex(micros / 1000), 12, '0')
        || '7' || lpad(to_hex(micros % 1000 * 4096 / 1000), 3, '0')
        || '8' || lpad(to_hex(place % 4096), 3, '0')
        || substr(gen_random_uuid()::text, 25, 12)
      )::uuid
      from (select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) as t
    $$;

    -- Rows come and go by the thousand; the default would let the table grow to many times what it holds.
    alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop function ordered_id(bigint);
    drop table blocks, preferences, messages, members, conversations, outbox;
  `);
}
