import type { Knex } from '@nolo/kit/db';
import { buildOrderedIdSql } from '@nolo/kit/outbox';

/** Replaces the function of the trigger of migration 0014. @param subject subject of the event that it writes */
const replaceTrigger = (db: Knex, subject: string): Promise<unknown> =>
  db.raw(`
    create or replace function tell_who_may() returns trigger language plpgsql as $$
    begin
      insert into events (id, subject, key, payload)
      select ${buildOrderedIdSql('0')}, '${subject}', new.id::text, jsonb_build_object(
        'userId', new.id, 'messagesFrom', new.messages_from);
      return null;
    end $$;
  `);

/**
 * Stores the current names of an event and of a text size. 0.3.0 reads these and the former ones, and still stores the
 * former text size while it runs beside this release.
 */
export async function up(db: Knex): Promise<void> {
  await replaceTrigger(db, 'event.identity.privacy_changed');
  await db.raw(`update preferences set value = '"default"' where name = 'textSize' and value = '"usual"'`);
}

/** Leaves text sizes, because 0.3.0 reads the current name. */
export async function down(db: Knex): Promise<void> {
  await replaceTrigger(db, 'event.identity.who_may_changed');
}
