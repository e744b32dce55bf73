import type { Knex } from '@nolo/kit/db';
import { buildOrderedIdSql } from '@nolo/kit/outbox';

/**
 * Adds who may see the picture and who may send first messages. Chat decides the latter, so a trigger writes an event
 * for each change and none is missed. All contacts are published again, because chat starts reading them now and older
 * events may have expired.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    lock table contacts, users in share row exclusive mode;
    alter table users
      add column picture_visibility text not null default 'everyone'
        check (picture_visibility in ('everyone', 'contacts', 'nobody')),
      add column messages_from text not null default 'everyone'
        check (messages_from in ('everyone', 'contacts', 'nobody'));

    insert into events (id, subject, key, payload)
    select ${buildOrderedIdSql('list.place')}, 'event.identity.contacts_changed', list.owner_id::text, jsonb_build_object(
      'ownerId', list.owner_id, 'added', list.added, 'removed', '[]'::jsonb)
    from (
      select owner_id, row_number() over (order by owner_id) as place, jsonb_agg(user_id) as added
      from contacts where user_id is not null group by owner_id
    ) as list;

    create function tell_who_may() returns trigger language plpgsql as $$
    begin
      insert into events (id, subject, key, payload)
      select ${buildOrderedIdSql('0')}, 'event.identity.who_may_changed', new.id::text, jsonb_build_object(
        'userId', new.id, 'messagesFrom', new.messages_from);
      return null;
    end $$;
    create trigger tell_who_may after update of messages_from on users
      for each row when (new.messages_from <> old.messages_from) execute function tell_who_may();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger tell_who_may on users;
    drop function tell_who_may();
    alter table users drop column picture_visibility, drop column messages_from;
  `);
}
