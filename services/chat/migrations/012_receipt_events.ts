import type { Knex } from '@nolo/kit/db';
import { buildOrderedIdSql } from '@nolo/kit/outbox';

const clock = `cross join (select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) as clock`;

/** Returns SQL that publishes the receipt setting of these rows. */
const tell = (rows: string) => `
  insert into events (id, subject, key, payload)
  select ${buildOrderedIdSql('p.place')}, 'event.chat.receipts_changed', p.user_id::text,
    jsonb_build_object('userId', p.user_id, 'shared', p.share_receipts)
  from (${rows}) as p ${clock}`;

/**
 * Publishes changes of the receipt setting, for services that count viewers. A trigger writes the events, so that
 * replicas of the previous release publish them, too. The log starts with people who do not share receipts.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    lock table preferences in share row exclusive mode;
    ${tell('select user_id, share_receipts, row_number() over () as place from preferences where not share_receipts')};
    create function tell_receipts_changed() returns trigger language plpgsql as $$
    begin
      ${tell('select new.user_id, new.share_receipts, 0::bigint as place')};
      return null;
    end $$;
    create trigger tell_first_receipts after insert on preferences
      for each row when (not new.share_receipts) execute function tell_receipts_changed();
    create trigger tell_changed_receipts after update on preferences
      for each row when (new.share_receipts <> old.share_receipts) execute function tell_receipts_changed();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger tell_changed_receipts on preferences;
    drop trigger tell_first_receipts on preferences;
    drop function tell_receipts_changed();
  `);
}
