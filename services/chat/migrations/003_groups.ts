import type { Knex } from '@nolo/kit/db';

/**
 * Adds groups and actions on messages. Columns with a constant default do not rewrite their tables. Only the members,
 * of which there are few, are counted again.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- What a conversation is as a whole; only disappearing_seconds concerns what is no group. meta_change_seq is the
    -- change of these columns, for the feed. member_count is kept by whatever adds or ends a membership.
    alter table conversations
      add column name text,
      add column description text not null default '',
      add column picture_path text,
      add column is_public boolean not null default false,
      add column max_members int not null default 500,
      add column allow_screen_share boolean not null default true,
      add column allow_file_sharing boolean not null default true,
      add column allow_recording boolean not null default false,
      add column moderation_enabled boolean not null default false,
      add column room_code text,
      add column code_expires_at timestamptz(3),
      add column invite_hash bytea,
      add column invite_expires_at timestamptz(3),
      add column disappearing_seconds int check (disappearing_seconds > 0),
      add column created_by uuid,
      add column member_count int not null default 0,
      add column meta_change_seq bigint not null default 0,
      add check ((type = 'group') = (name is not null));
    create unique index conversations_room_code on conversations (room_code) where room_code is not null;

    update conversations c set member_count = m.n
    from (select conversation_id, count(*) as n from members where left_at is null group by conversation_id) m
    where m.conversation_id = c.id;

    -- left_reason tells whether an invite link lets in again. The rest is the member's own choice, and nobody else's
    -- to see.
    alter table members
      add column left_reason text check (left_reason in ('left', 'removed', 'banned')),
      add column archived_at timestamptz(3),
      add column pinned_at timestamptz(3),
      add column muted_until timestamptz(3),
      add column marked_unread boolean not null default false;

    create table join_requests (
      conversation_id uuid not null references conversations (id),
      user_id uuid not null,
      requested_at timestamptz(3) not null,
      primary key (conversation_id, user_id)
    );
    create index join_requests_user on join_requests (user_id);

    create table bans (
      conversation_id uuid not null references conversations (id),
      user_id uuid not null,
      banned_by uuid not null,
      banned_at timestamptz(3) not null,
      primary key (conversation_id, user_id)
    );
    create index bans_user on bans (user_id);

    -- The answered message is kept by its number, id and author, which never change. reactions is what readers get, as
    -- [{ userId, emoji }] in the order of the first; the table of that name is for finding those of one person.
    alter table messages
      add column reply_to_seq bigint,
      add column reply_to_id uuid,
      add column reply_to_sender_id uuid,
      add column forwarded boolean not null default false,
      add column link_preview text,
      add column has_link boolean not null default false,
      add column reactions jsonb not null default '[]',
      add column pinned_at timestamptz(3),
      add column pinned_by uuid,
      add column expires_at timestamptz(3);
    create index messages_expiry on messages (expires_at) where expires_at is not null and deleted_at is null;
    create index messages_pinned on messages (conversation_id, pinned_at desc) where pinned_at is not null;

    create table reactions (
      conversation_id uuid not null,
      seq bigint not null,
      user_id uuid not null,
      emoji text not null,
      reacted_at timestamptz(3) not null,
      primary key (conversation_id, seq, user_id),
      foreign key (conversation_id, seq) references messages (conversation_id, seq)
    );
    create index reactions_user on reactions (user_id, conversation_id);

    create table stars (
      user_id uuid not null,
      message_id uuid not null references messages (id),
      conversation_id uuid not null,
      seq bigint not null,
      starred_at timestamptz(3) not null,
      primary key (user_id, message_id)
    );
    create index stars_place on stars (user_id, starred_at desc, message_id);
    create index stars_message on stars (message_id);

    -- What waits for approval in a moderated group. draft holds the message as it was checked, for the sending of it
    -- later; rejected rows stay without it, so that sending again gives the same answer.
    create table held_messages (
      id uuid primary key,
      conversation_id uuid not null references conversations (id),
      sender_id uuid not null,
      client_message_id uuid,
      draft jsonb,
      held_at timestamptz(3) not null,
      rejected_at timestamptz(3),
      check ((draft is null) = (rejected_at is not null)),
      unique (sender_id, client_message_id)
    );
    create index held_messages_waiting on held_messages (conversation_id, held_at, id) where rejected_at is null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table held_messages, stars, reactions, bans, join_requests;
    alter table messages drop column reply_to_seq, drop column reply_to_id, drop column reply_to_sender_id,
      drop column forwarded, drop column link_preview, drop column has_link, drop column reactions,
      drop column pinned_at, drop column pinned_by, drop column expires_at;
    alter table members drop column left_reason, drop column archived_at, drop column pinned_at,
      drop column muted_until, drop column marked_unread;
    alter table conversations drop column name, drop column description, drop column picture_path,
      drop column is_public, drop column max_members, drop column allow_screen_share,
      drop column allow_file_sharing, drop column allow_recording, drop column moderation_enabled,
      drop column room_code, drop column code_expires_at, drop column invite_hash, drop column invite_expires_at,
      drop column disappearing_seconds, drop column created_by, drop column member_count,
      drop column meta_change_seq;
  `);
}
