import type { Knex } from '@nolo/kit/db';

/**
 * Counts changes of each meeting and call, so clients can tell which of two states is newer. A trigger counts, so
 * changes by services of the previous release count too.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table meetings add column version integer not null default 0;
    alter table calls add column version integer not null default 0;
    create function count_version() returns trigger language plpgsql as $$
    begin
      new.version := old.version + 1;
      return new;
    end $$;
    create trigger count_version before update on meetings for each row execute function count_version();
    create trigger count_version before update on calls for each row execute function count_version();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger count_version on calls;
    drop trigger count_version on meetings;
    drop function count_version();
    alter table calls drop column version;
    alter table meetings drop column version;
  `);
}
