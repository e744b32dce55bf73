import type { Knex } from '@nolo/kit/db';

/**
 * Adds listings: the lists that a conversation is in and its approximate position, so that a list is read from its top,
 * however long it is.
 *
 * Storing the exact order would write a row per member for each message. Therefore, listed_at follows the last message
 * at most once a minute, and `listed_at <= activity < listed_at + 1 minute` tells a reader how far to look. Triggers
 * maintain it, so that replicas of the previous release do, too. They run under the conversation's lock, which sending,
 * joining and leaving hold anyway. Meeting conversations are in no list.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table conversations add column listed_at timestamptz(3);

    create table listings (
      conversation_id uuid not null,
      user_id uuid not null,
      direct boolean not null,
      listed_at timestamptz(3) not null,
      primary key (conversation_id, user_id)
    );
    create index listings_user on listings (user_id, direct, listed_at desc);

    create function list_new_conversation() returns trigger language plpgsql as $$
    begin
      new.listed_at := coalesce(new.last_message_at, new.created_at);
      return new;
    end $$;
    create trigger list_new_conversation before insert on conversations
      for each row when (new.type <> 'meeting') execute function list_new_conversation();

    create function list_conversation_anew() returns trigger language plpgsql as $$
    begin
      new.listed_at := new.last_message_at;
      return new;
    end $$;
    create trigger list_conversation_anew before update of last_message_at on conversations
      for each row when (new.last_message_at >= old.listed_at + interval '1 minute')
      execute function list_conversation_anew();

    create function move_listings() returns trigger language plpgsql as $$
    begin
      update listings set listed_at = new.listed_at where conversation_id = new.id;
      return null;
    end $$;
    create trigger move_listings after update of last_message_at on conversations
      for each row when (new.listed_at <> old.listed_at) execute function move_listings();

    create function list_member() returns trigger language plpgsql as $$
    begin
      if new.left_at is not null then
        delete from listings where conversation_id = new.conversation_id and user_id = new.user_id;
      else
        insert into listings (conversation_id, user_id, direct, listed_at)
        select c.id, new.user_id, c.type = 'direct', c.listed_at
        from conversations c where c.id = new.conversation_id and c.listed_at is not null
        on conflict (conversation_id, user_id) do update set listed_at = excluded.listed_at;
      end if;
      return null;
    end $$;
    create trigger list_new_member after insert on members
      for each row when (new.left_at is null) execute function list_member();
    create trigger list_changed_member after update of left_at on members
      for each row when ((new.left_at is null) <> (old.left_at is null)) execute function list_member();

    -- What stands above the others is looked for by itself.
    create index members_pinned on members (user_id) where pinned_at is not null and left_at is null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index members_pinned;
    drop trigger list_changed_member on members;
    drop trigger list_new_member on members;
    drop trigger move_listings on conversations;
    drop trigger list_conversation_anew on conversations;
    drop trigger list_new_conversation on conversations;
    drop function list_member(), move_listings(), list_conversation_anew(), list_new_conversation();
    drop table listings;
    alter table conversations drop column listed_at;
  `);
}
