import type { Knex } from '@nolo/kit/db';
import { orderedIdSql } from '@nolo/kit/outbox';

const clock = `cross join (select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) as clock`;

/** SQL, for rows of somebody who shares receipts or does not. */
const tell = (rows: string) => `
  insert into events (id, subject, key, payload)
  select ${orderedIdSql('p.place')}, 'event.chat.receipts_changed', p.user_id::text,
    jsonb_build_object('userId', p.user_id, 'shared', p.share_receipts)
  from (${rows}) as p ${clock}`;

/**
 * Who shares receipts becomes an event, for services that count who has seen what. A trigger writes it, so replicas of the
 * version before tell it as well; the log begins with those who do not.
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
