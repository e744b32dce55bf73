import type { Knex } from '@nolo/kit/db';
import { buildOrderedIdSql } from '@nolo/kit/outbox';

const clock = `cross join (select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) as clock`;

/**
 * Returns SQL that writes one event for each list that a statement changes, for rows of an owner, a person, and whether
 * the person was added.
 */
const tell = (rows: string) => `
  insert into events (id, subject, key, payload)
  select ${buildOrderedIdSql('change.place')}, 'event.identity.contacts_changed', change.owner_id::text, jsonb_build_object(
    'ownerId', change.owner_id, 'added', change.added, 'removed', change.removed)
  from (
    select owner_id, row_number() over (order by owner_id) as place,
      coalesce(jsonb_agg(user_id) filter (where came), '[]') as added,
      coalesce(jsonb_agg(user_id) filter (where not came), '[]') as removed
    from (${rows}) as rows group by owner_id
  ) as change ${clock}`;

/**
 * Records contact changes as events, for services that decide who may see what. Triggers write them, so replicas of the
 * previous release publish them too. The log starts with existing data: contacts, which had no events before, and
 * blocks, whose events may have expired.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    lock table contacts, blocks in share row exclusive mode;
    ${tell('select owner_id, user_id, true as came from contacts where user_id is not null')};
    insert into events (id, subject, key, payload)
    select ${buildOrderedIdSql('b.place')}, 'event.identity.block_changed', b.blocker_id::text, jsonb_build_object(
      'blockerId', b.blocker_id, 'blockedId', b.blocked_id, 'blocked', true)
    from (select *, row_number() over (order by created_at) as place from blocks) as b ${clock};

    create function tell_contacts_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        ${tell('select owner_id, user_id, true as came from added where user_id is not null')};
      elsif tg_op = 'DELETE' then
        ${tell('select owner_id, user_id, false as came from removed where user_id is not null')};
      else
        ${tell(`
          select o.owner_id, o.user_id, false as came from removed o join added n on n.id = o.id
          where o.user_id is not null and o.user_id is distinct from n.user_id
          union all
          select n.owner_id, n.user_id, true as came from removed o join added n on n.id = o.id
          where n.user_id is not null and o.user_id is distinct from n.user_id`)};
      end if;
      return null;
    end $$;
    create trigger tell_added_contacts after insert on contacts
      referencing new table as added for each statement execute function tell_contacts_changed();
    create trigger tell_removed_contacts after delete on contacts
      referencing old table as removed for each statement execute function tell_contacts_changed();
    create trigger tell_changed_contacts after update on contacts
      referencing old table as removed new table as added for each statement execute function tell_contacts_changed();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger tell_changed_contacts on contacts;
    drop trigger tell_removed_contacts on contacts;
    drop trigger tell_added_contacts on contacts;
    drop function tell_contacts_changed();
  `);
}
