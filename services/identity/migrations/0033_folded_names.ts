import type { Knex } from '@nolo/kit/db';

/**
 * Adds names folded for search. The service folds them (`foldText` of the rules) because the database's lower case
 * differs. A trigger clears the columns when a name changes, even by replicas of the previous release that do not know
 * them, and the service fills cleared columns.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users add column folded_name text, add column folded_last_name text;
    alter table contacts add column folded_name text;

    create function forget_folded_user() returns trigger language plpgsql as $$
    begin
      new.folded_name := null;
      new.folded_last_name := null;
      return new;
    end $$;
    create trigger forget_folded_user before update of first_name, last_name on users for each row
      when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
      execute function forget_folded_user();

    create function forget_folded_contact() returns trigger language plpgsql as $$
    begin
      new.folded_name := null;
      return new;
    end $$;
    create trigger forget_folded_contact before update of display_name on contacts for each row
      when (old.display_name is distinct from new.display_name)
      execute function forget_folded_contact();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger forget_folded_contact on contacts;
    drop function forget_folded_contact();
    drop trigger forget_folded_user on users;
    drop function forget_folded_user();
    alter table contacts drop column folded_name;
    alter table users drop column folded_name, drop column folded_last_name;
  `);
}
